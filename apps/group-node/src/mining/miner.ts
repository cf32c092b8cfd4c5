import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type Block } from '@shardnode/protocol/block';
import { blockOfTemplate, type BlockTemplate, planTemplate, templateSteps } from '@shardnode/protocol/mining';
import { type ChainIndex, flatIndex, type Hash } from '@shardnode/protocol/primitives';
import { outputStateKey } from '@shardnode/protocol/state';
import { type Refusal, type Steps } from '@shardnode/protocol/validation';
import { type GroupState } from '../view/group-state.js';
import { type Importer } from '../import/index.js';
import { type SignatureChecker } from '../signatures/signatures.js';
import { type WorkQueue } from '../writer/work-queue.js';
import { contractsNamedIn } from '../contracts/named-contracts.js';
import { contractLayer } from '../view/contract-view.js';
import { ownView } from '../view/own-view.js';
import { type MinerAddresses } from './miner-addresses.js';
import { type NonceFinder } from './nonce-finder.js';

export interface MinerParts {
  readonly state: GroupState;
  readonly importer: Importer;
  readonly queue: WorkQueue;
  readonly signatures: SignatureChecker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly nonces: NonceFinder;
  readonly minerAddresses: MinerAddresses;
  /** Throws when the clock is off (decision 31). */
  readonly requireClock: () => void;
  /** Removes from the pool the transactions that the template found invalid; does not reject. */
  readonly onInvalid: (
    invalid: readonly { readonly transactionId: Hash; readonly refusal: Refusal }[],
  ) => Promise<void>;
  readonly onMined: (hash: Hash) => void;
}

type Made =
  /** An imported block, and the promise of its commit. */
  | { readonly kind: 'mined'; readonly hash: Hash; readonly stored: Promise<void> }
  /** A template that needs a long nonce search. */
  | { readonly kind: 'hard'; readonly template: BlockTemplate };

/** The search for a block of the same chain that began before this request ran. */
interface Sought {
  readonly kind: 'sought';
  readonly block: Promise<Hash>;
}

/**
 * Mines blocks of own chains, one at a time, in the writer's queue (protocol 03 §11). Requests for different chains at
 * the same time share a commit. The writer continues during the nonce search of a hard block.
 */
export class Miner {
  /** Queued blocks by chain: requests for the same chain share one (decision 22). */
  private readonly waiting = new Map<number, Promise<Hash>>();
  /** Chains with a block that waits for its commit: its transactions are still in the pool. */
  private readonly staged = new Set<number>();
  /** Hard blocks in search of a nonce: one search per chain, shared by all requests. */
  private readonly searching = new Map<number, Promise<Hash>>();

  constructor(private readonly parts: MinerParts) {}

  /**
   * The next block of an own chain, durable when this resolves. It considers all transactions that are in the pool when
   * its task runs.
   */
  mine(chain: ChainIndex): Promise<Hash> {
    const key = flatIndex(chain, this.parts.state.settings.groups);
    const shared = this.waiting.get(key) ?? this.searching.get(key);
    if (shared) return shared;
    const block = this.afterEarlierSearch(key, chain, () => this.searching.set(key, block));
    this.waiting.set(key, block);
    const ended = (): void => {
      for (const blocks of [this.waiting, this.searching]) if (blocks.get(key) === block) blocks.delete(key);
    };
    block.then(ended, ended);
    return block;
  }

  private async afterEarlierSearch(key: number, chain: ChainIndex, searches: () => void): Promise<Hash> {
    const { queue, state, onMined } = this.parts;
    let made = await queue.run('mine', async (): Promise<Made | Sought> => {
      this.waiting.delete(key);
      // Requested while the previous template was made: a second block would have the same height and compete with it.
      const sought = this.searching.get(key);
      if (sought) return { kind: 'sought', block: sought };
      const first = await this.mineNow(key, chain);
      if (first.kind === 'hard') searches();
      return first;
    });
    if (made.kind === 'sought') return made.block;
    while (made.kind === 'hard') made = await this.mineBeside(key, made.template);
    const { hash, stored } = made;
    await stored;
    if (!state.memory.published.holds(hash)) throw new Error(`block ${hash} was mined and not stored`);
    onMined(hash);
    return hash;
  }

  private async mineNow(key: number, chain: ChainIndex): Promise<Made> {
    const { nonces, onInvalid } = this.parts;
    if (this.staged.has(key)) await this.commit();
    const template = await this.template(chain);
    if (template.invalid.length > 0) await onInvalid(template.invalid);
    const nonce = nonces.isShort(template) ? await nonces.find(template) : undefined;
    return nonce ? this.takeIn(key, template, nonce) : { kind: 'hard', template };
  }

  /**
   * Searches beside the tasks of the writer, for a limited time; then again with a new template, which contains newer
   * transactions.
   */
  private async mineBeside(key: number, template: BlockTemplate): Promise<Made> {
    const { nonces, queue } = this.parts;
    const nonce = await nonces.find(template);
    return queue.run('mine', () => (nonce ? this.takeIn(key, template, nonce) : this.mineNow(key, template.chain)));
  }

  private async takeIn(key: number, template: BlockTemplate, nonce: Uint8Array): Promise<Made> {
    const { chain } = template;
    const block = blockOfTemplate(template, nonce, this.parts.state.settings);
    const { hash } = block.header;
    const outcome = await this.parts.importer.import({ header: block.header, block, role: 'own', origin: 'mined' });
    if (outcome.kind === 'refused') {
      throw new Error(`our own block of chain (${chain.from}, ${chain.to}) was refused: ${outcome.refusal.code}`);
    }
    this.staged.add(key);
    const stored = outcome.kind === 'accepted' ? outcome.stored : Promise.resolve();
    // The next queued block commits this one too: at most one per chain is queued.
    if (this.waiting.size === 0) await this.commit();
    return { kind: 'mined', hash, stored };
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
    // Checked after the block's time was taken: a change of the clock since the request must not show in the block. All
    // other nodes would refuse a block of the future, and its successors too, until that time has come.
    this.parts.requireClock();
    const { plain } = state.shown;
    const isShown = plan.blockDeps.every((hash, slot) => hash === state.shown.best[slot]);
    const view = isShown ? plain : await memory.loaded(() => ownView(memory, plan.blockDeps));
    const candidates = pool.ready(chain).map(({ template }) => template);
    const keys = candidates.flatMap(({ unsigned }) =>
      unsigned.inputs.map((input) => outputStateKey(input.outputReference)),
    );
    await memory.loadKeys(view.state.outputRoot, keys);
    const named = contractsNamedIn(candidates.map(({ unsigned }) => unsigned.script));
    if (named.length > 0) await memory.loadContracts(view.state, named);
    const begin = (): Steps<BlockTemplate> =>
      templateSteps(plan, {
        settings,
        reader,
        spent,
        view: view.view,
        depStateHash: memory.states.need(view.base).stateHash,
        candidates,
        miner: minerAddresses.of(chain.to),
        verifySignature: signatures.verify,
        newContracts: () => contractLayer(memory, view.state),
      });
    return memory.loadedInSteps(begin);
  }
}
