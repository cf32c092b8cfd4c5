import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type Block } from '@shardnode/protocol/block';
import {
  blockOfTemplate,
  type BlockTemplate,
  fillTemplate,
  planTemplate,
  searchNonce,
} from '@shardnode/protocol/mining';
import {
  type AssetLockupScript,
  type ChainIndex,
  flatIndex,
  type Hash,
  nonceLength,
} from '@shardnode/protocol/primitives';
import { outputStateKey } from '@shardnode/protocol/state';
import { type Refusal } from '@shardnode/protocol/validation';
import { type GroupState } from '../group-state.js';
import { type Importer } from '../import/index.js';
import { type SignatureChecker } from '../import/signatures.js';
import { type WorkQueue } from '../import/work-queue.js';
import { ownView } from '../view/own-view.js';

export interface MinerParts {
  readonly state: GroupState;
  readonly importer: Importer;
  readonly queue: WorkQueue;
  readonly signatures: SignatureChecker;
  readonly clock: Clock;
  readonly logger: Logger;
  /** So many random bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** Who is paid, by the group that a chain leads to. */
  readonly minerAddresses: readonly AssetLockupScript[];
  /** Told of pooled transactions that the template found invalid. */
  readonly onInvalid: (invalid: readonly { readonly transactionId: Hash; readonly refusal: Refusal }[]) => void;
  readonly onMined: (hash: Hash) => void;
}

/** Nonces between two turns of the event loop, a few milliseconds. */
const triesPerTurn = 2_000;
/** Milliseconds that a search may keep the writer busy: longer ones begin again at the end of the queue. */
const searchTime = 200;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A block that was made and imported, and the promise of its commit. */
interface Mined {
  readonly hash: Hash;
  readonly stored: Promise<void>;
}

/**
 * Makes blocks of own chains, one at a time, in the writer's queue (protocol 03 §11). Blocks of different chains that are
 * wanted at the same time share a commit.
 */
export class Miner {
  /** Blocks that wait for their turn: whoever wants one of the same chain shares it (decision 22). */
  private readonly waiting = new Map<number, Promise<Hash>>();
  /** Chains with a block that waits for its commit: what it holds is in the pool still. */
  private readonly staged = new Set<number>();

  constructor(private readonly parts: MinerParts) {}

  /**
   * The next block of an own chain, durable when this resolves. Everything that is in the pool now, and what comes before
   * its turn, is considered.
   */
  mine(chain: ChainIndex): Promise<Hash> {
    const key = flatIndex(chain, this.parts.state.settings.groups);
    const shared = this.waiting.get(key);
    if (shared) return shared;
    const block = this.inTurn(key, chain);
    this.waiting.set(key, block);
    block.catch(() => {
      if (this.waiting.get(key) === block) this.waiting.delete(key);
    });
    return block;
  }

  private async inTurn(key: number, chain: ChainIndex): Promise<Hash> {
    const { queue, state, onMined } = this.parts;
    const mined = await queue.run('mine', () => {
      this.waiting.delete(key);
      return this.mineNow(key, chain);
    });
    // Nonces have no memory, so nothing is lost; what came meanwhile may even make it easier.
    if (!mined) return this.mine(chain);
    const { hash, stored } = mined;
    await stored;
    if (!state.memory.published.has(hash)) throw new Error(`block ${hash} was mined and not stored`);
    onMined(hash);
    return hash;
  }

  /** Undefined: no nonce was found in time. */
  private async mineNow(key: number, chain: ChainIndex): Promise<Mined | undefined> {
    if (this.staged.has(key)) await this.commit();
    const template = await this.template(chain);
    if (template.invalid.length > 0) this.parts.onInvalid(template.invalid);
    const block = await this.search(template);
    if (!block) return undefined;
    const { hash } = block.header;
    const outcome = await this.parts.importer.import({ header: block.header, block, role: 'own', origin: 'mined' });
    if (outcome.kind === 'refused') {
      throw new Error(`our own block of chain (${chain.from}, ${chain.to}) was refused: ${outcome.refusal.code}`);
    }
    this.staged.add(key);
    const stored = outcome.kind === 'accepted' ? outcome.stored : Promise.resolve();
    // The next one in the queue commits this block too: at most one of each chain waits.
    if (this.waiting.size === 0) await this.commit();
    return { hash, stored };
  }

  private async commit(): Promise<void> {
    this.staged.clear();
    await this.parts.importer.flush();
  }

  private async template(chain: ChainIndex): Promise<BlockTemplate> {
    const { state, importer, signatures, clock, minerAddresses } = this.parts;
    const { memory, settings, pool } = state;
    const { dag: reader, spent } = memory;
    const bestDeps = await importer.best();
    const body = (hash: Hash): Block => memory.blocks.need([hash])[0]!;
    const plan = await memory.loaded(() =>
      planTemplate({ settings, reader, spent, chain, now: BigInt(clock.now()), body, bestDeps }),
    );
    const { plain } = state.shown;
    const isShown = plan.blockDeps.every((hash, slot) => hash === state.shown.best[slot]);
    const view = isShown ? plain : await memory.loaded(() => ownView(memory, plan.blockDeps));
    const candidates = pool.ready(chain).map(({ template }) => template);
    const keys = candidates.flatMap(({ unsigned }) =>
      unsigned.inputs.map((input) => outputStateKey(input.outputReference)),
    );
    await memory.loadKeys(view.state.outputRoot, keys);
    return memory.loaded(() =>
      fillTemplate(plan, {
        settings,
        reader,
        spent,
        view: view.view,
        depStateHash: memory.states.need(view.base).stateHash,
        candidates,
        miner: minerAddresses[chain.to]!,
        verifySignature: signatures.verify,
      }),
    );
  }

  /** Blocks of others must get in between: they may be what makes the target easier again (protocol 03 §9.3). */
  private async search(template: BlockTemplate): Promise<Block | undefined> {
    const { state, randomBytes, clock } = this.parts;
    const { settings } = state;
    const began = clock.monotonic();
    while (clock.monotonic() - began < searchTime) {
      const start = randomBytes(nonceLength);
      const nonce = searchNonce(template.header, template.chain, settings, start, triesPerTurn);
      if (nonce) return blockOfTemplate(template, nonce, settings);
      await nextTurn();
    }
    return undefined;
  }
}
