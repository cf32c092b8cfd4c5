import { type Block, genesisBlocks } from '@shardnode/protocol/block';
import { verifySignature } from '@shardnode/protocol/crypto';
import { type AddOutcome, bestDependencies, BlockDag, blocksForStateView, SpentInputs } from '@shardnode/protocol/dag';
import { blockOfTemplate, type BlockTemplate, buildTemplate, searchNonce } from '@shardnode/protocol/mining';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript, type ChainIndex, type Hash, isIntraGroup } from '@shardnode/protocol/primitives';
import {
  applyChanges,
  type ContractChanges,
  ContractLayer,
  contractStateOf,
  genesisWorldState,
  type GroupView,
  groupView,
  hasOutput,
  LoadedImmutables,
  LoadedNodes,
  readOutput,
  stateChanges,
  stateHash,
  type WorldState,
} from '@shardnode/protocol/state';
import { type TransactionTemplate } from '@shardnode/protocol/transaction';
import { checkBlock, checkHeader, type Verdict } from '@shardnode/protocol/validation';
import { testKeyOfGroup } from '../keys/index.js';

/** Choices of a test for a mined block; everything has a default. */
export interface MiningWish {
  /** Milliseconds; default: one second after the newest block known. */
  readonly now?: bigint;
  readonly candidates?: readonly TransactionTemplate[];
  readonly miner?: AssetLockupScript;
  readonly bestDeps?: readonly Hash[];
}

/** Clock of checks: the year 2090, ahead of all blocks but those that tests send from the future. */
const farAhead = 3_786_912_000_000n;
const maxTries = 1_000_000;

/**
 * All four groups over the bare rules, for tests of the rules: every part is open, blocks can be judged, added unjudged,
 * or mined on any dependencies. No buffer, no mempool.
 */
export class Workbench {
  readonly dag: BlockDag;
  readonly spent = new SpentInputs();
  readonly bodies = new Map<Hash, Block>();
  readonly states = new Map<Hash, WorldState>();
  readonly nodes = new LoadedNodes();
  readonly immutables = new LoadedImmutables();
  private newest = 0n;

  constructor(
    readonly settings: NetworkSettings,
    start = 1_690_000_000_000n,
  ) {
    const genesis = genesisBlocks(settings);
    this.dag = new BlockDag(
      settings,
      genesis.map(({ header }) => header),
    );
    for (const { header } of genesis.filter((block) => isIntraGroup(block.header.chainIndex))) {
      const { state, nodes } = genesisWorldState(settings, header.chainIndex.from);
      this.nodes.add(nodes);
      this.states.set(header.hash, state);
    }
    this.newest = start;
  }

  private intraDep(group: number, deps: readonly Hash[]): Hash {
    return deps[this.settings.groups - 1 + group]!;
  }

  stateAt(hash: Hash): WorldState {
    const state = this.states.get(hash);
    if (!state) throw new Error(`no world state at ${hash}`);
    return state;
  }

  body = (hash: Hash): Block => {
    const block = this.bodies.get(hash);
    if (!block) throw new Error(`no body of ${hash}`);
    return block;
  };

  pending(group: number, deps: readonly Hash[]): Block[] {
    return blocksForStateView(this.dag, group, deps).map(this.body);
  }

  viewAt(group: number, deps: readonly Hash[]): GroupView {
    const { outputRoot } = this.stateAt(this.intraDep(group, deps));
    const base = (reference: Parameters<typeof readOutput>[2]) => readOutput(this.nodes, outputRoot, reference);
    return groupView(group, this.settings.groups, base, this.pending(group, deps));
  }

  /** A new layer over the contracts at an intra-group block. */
  contractsAt(hash: Hash): ContractLayer {
    return ContractLayer.overState(contractStateOf(this.nodes, this.immutables, this.stateAt(hash)));
  }

  bestDeps(group: number): Hash[] {
    return bestDependencies(this.dag, this.spent, group, this.settings);
  }

  /** The verdict of all header and block rules; nothing is added. */
  check(block: Block, now = farAhead): Verdict {
    return this.judge(block, now).verdict;
  }

  private judge(block: Block, now: bigint): { readonly verdict: Verdict; readonly contracts?: ContractLayer } {
    const { header } = block;
    const { settings, dag, spent } = this;
    const { from } = header.chainIndex;
    const state = this.states.get(this.intraDep(from, header.blockDeps));
    const verdict = checkHeader({ settings, reader: dag, header, now, depStateHash: state && stateHash(state) });
    if (verdict) return { verdict };
    const view = this.viewAt(from, header.blockDeps);
    const contracts = isIntraGroup(header.chainIndex)
      ? this.contractsAt(this.intraDep(from, header.blockDeps))
      : undefined;
    const context = { settings, reader: dag, spent, role: 'own' as const, block, view, contracts, verifySignature };
    return { verdict: checkBlock(context), contracts };
  }

  /**
   * Adds a block without judging it. A fault of the state (protocol 03 §8.8) is thrown before anything is added. `contracts`:
   * what its scripts have done, if they were run.
   */
  add(block: Block, contracts?: ContractChanges): AddOutcome {
    const { header } = block;
    if (isIntraGroup(header.chainIndex)) this.states.set(header.hash, this.applied(block, contracts));
    this.bodies.set(header.hash, block);
    this.spent.add(header.hash, block.transactions);
    if (header.timestamp > this.newest) this.newest = header.timestamp;
    return this.dag.add(header);
  }

  private applied(block: Block, contracts: ContractChanges | undefined): WorldState {
    const { chainIndex, blockDeps } = block.header;
    const group = chainIndex.from;
    const base = this.stateAt(this.intraDep(group, blockDeps));
    const blocks = [...this.pending(group, blockDeps), block];
    const changes = stateChanges(group, this.settings.groups, blocks, (reference) =>
      hasOutput(this.nodes, base.outputRoot, reference),
    );
    const { state, added } = applyChanges(this.nodes, base, changes, contracts);
    this.nodes.add(added);
    if (contracts) this.immutables.add(contracts.immutable);
    return state;
  }

  /** Judges and adds; throws with the verdict when refused. */
  import(block: Block): AddOutcome {
    const { verdict, contracts } = this.judge(block, farAhead);
    if (verdict) throw new Error(`block ${block.header.hash} is refused: ${JSON.stringify(verdict)}`);
    return this.add(block, contracts?.changes());
  }

  template(chain: ChainIndex, wish: MiningWish = {}): BlockTemplate {
    const { settings, dag, spent, body } = this;
    const { now = this.newest + 1000n, candidates = [], miner = testKeyOfGroup(chain.to).lockupScript } = wish;
    return buildTemplate({
      settings,
      reader: dag,
      spent,
      chain,
      now,
      body,
      bestDeps: wish.bestDeps,
      candidates,
      miner,
      verifySignature,
      viewAt: (deps) => this.viewAt(chain.from, deps),
      depStateHashAt: (hash) => stateHash(this.stateAt(hash)),
      contractsAt: (hash) => this.contractsAt(hash),
    });
  }

  /** The block of a template with the first nonce that will do, counted from 0; not added. */
  mine(chain: ChainIndex, wish: MiningWish = {}): Block {
    const template = this.template(chain, wish);
    const nonce = searchNonce(template.header, chain, this.settings, new Uint8Array(24), maxTries);
    if (!nonce) throw new Error(`no nonce for chain (${chain.from},${chain.to})`);
    return blockOfTemplate(template, nonce, this.settings);
  }

  /** Mines, judges and adds a block. */
  grow(chain: ChainIndex, wish: MiningWish = {}): Block {
    const block = this.mine(chain, wish);
    this.import(block);
    return block;
  }
}
