import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { type SealedHeader } from '@shardnode/protocol/block';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { type ChainIndex, type Hash, outputHint, type OutputReference, zeroHash } from '@shardnode/protocol/primitives';
import {
  applyChanges,
  type ContractChanges,
  genesisWorldState,
  LoadedNodes,
  stateHash,
  type TrieNodeStore,
  type WorldState,
} from '@shardnode/protocol/state';
import { searchHeader } from '@shardnode/testing/builders';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { type GroupState } from '../../src/view/group-state.js';
import { projectionMove } from '../../src/import/commit.js';
import { type Importer } from '../../src/import/index.js';
import { WorkQueue } from '../../src/writer/work-queue.js';
import { type GroupMemory } from '../../src/memory/group-memory.js';
import { Pruner } from '../../src/pruning/index.js';
import { reachableNodes } from '../../src/pruning/sweep.js';
import { loadMemory } from '../../src/start/load-memory.js';
import { type BlockCommit, type GroupStore, type StateCommit, type Utxo } from '../../src/store/index.js';

export const group = 0;
const chain: ChainIndex = { from: group, to: group };
const { groups } = settings;
/** The easiest target of all. */
const target = 0x20ffffff;
const owner = testKeysOfGroup(group, 1)[0]!.lockupScript;
const named = (name: string): Hash => blake2bHash(new TextEncoder().encode(name));
const genesisTime = 1_700_000_000_000n;

/** One of few outputs that come and go again and again, so that nodes that were replaced come back. */
const recurringUtxo = (number: number): Utxo => ({
  reference: { hint: outputHint(owner), key: named(`output ${number}`) },
  output: {
    kind: 'asset',
    amount: BigInt(number + 1),
    lockTime: 0n,
    tokens: [],
    additionalData: new Uint8Array(0),
    lockupScript: owner,
  },
});

const contractId = (number: number): Hash => named(`contract ${number}`);

/** Outputs and contracts that are there or not, by number. */
export interface Contents {
  readonly outputs: ReadonlySet<number>;
  readonly contracts: ReadonlySet<number>;
}

interface Known {
  readonly state: WorldState;
  readonly contents: Contents;
}

/** What was invented so far: survives restarts. */
class Invented implements TrieNodeStore {
  counter = 0;
  /** Of all states ever: nothing is pruned here. */
  readonly nodes = new LoadedNodes();
  readonly states = new Map<Hash, Known>();

  constructor(genesis: Hash) {
    const { state, nodes } = genesisWorldState(settings, group);
    this.nodes.add(nodes);
    this.states.set(genesis, { state, contents: { outputs: new Set(), contracts: new Set() } });
  }

  async loadNodes(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Uint8Array>> {
    return new Map(hashes.flatMap((hash) => (this.nodes.has(hash) ? [[hash, this.nodes.get(hash)!]] : [])));
  }
}

const toggled = (before: ReadonlySet<number>, numbers: readonly number[]): Set<number> => {
  const after = new Set(before);
  for (const number of numbers) if (!after.delete(number)) after.add(number);
  return after;
};

/** Records alone: the trie of contracts changes, whatever the records mean. */
const contractChanges = (before: ReadonlySet<number>, after: ReadonlySet<number>): ContractChanges => ({
  records: new Map(
    [...new Set([...before, ...after])]
      .filter((number) => before.has(number) !== after.has(number))
      .map((number) => {
        const reference: OutputReference = { hint: 0, key: named(`of contract ${number}`) };
        const record = { mutableFields: [], outputReference: reference, immutableStateHash: zeroHash };
        return [contractId(number), after.has(number) ? record : undefined];
      }),
  ),
  outputs: new Map(),
  immutable: new Map(),
  events: [],
});

/**
 * A store with the chains of one group, invented headers and states, and a pruner over it with the real queue and the real
 * block DAG. Whoever tests decides what each block changes and where it forks.
 */
export class PrunedChain {
  private constructor(
    readonly store: GroupStore,
    readonly memory: GroupMemory,
    readonly horizon: number,
    readonly pruner: Pruner,
    private readonly shown: { best: Hash[] },
    private readonly invented: Invented,
  ) {
    this.follow();
  }

  /** @param before the same chain before a restart */
  static async open(
    store: GroupStore,
    horizon: number,
    {
      before,
      crashPoint = () => undefined,
      clock = systemClock,
    }: { before?: PrunedChain; crashPoint?: (name: string) => void; clock?: Clock } = {},
  ): Promise<PrunedChain> {
    const memory = await loadMemory({ settings, group, store });
    const { now } = performance;
    const yieldTick = () => Promise.resolve();
    const queue = new WorkQueue({ group, capacity: 100, now: () => now.call(performance), yieldTick });
    const shown = { best: new Array<Hash>(2 * groups - 1) };
    const state = { memory, group, settings, shown } as unknown as GroupState;
    // Nothing is ever staged here.
    const importer = { flush: () => Promise.resolve() } as unknown as Importer;
    const parts = { state, store, queue, importer, clock, logger: silentLogger, crashPoint };
    const pruner = new Pruner(parts, store.pruning!, horizon);
    const invented = before?.invented ?? new Invented(memory.dag.genesis(chain));
    return new PrunedChain(store, memory, horizon, pruner, shown, invented);
  }

  get genesis(): Hash {
    return this.memory.dag.genesis(chain);
  }

  get height(): number {
    return this.memory.dag.maxHeight(chain);
  }

  /** The canonical block of the greatest height. */
  get top(): Hash {
    return this.memory.dag.canonicalAt(chain, this.height)!;
  }

  contentsOf(block: Hash): Contents {
    return this.invented.states.get(block)!.contents;
  }

  /** Ancestor so many heights below; genesis at most. */
  below(block: Hash, depth: number): Hash {
    let node = this.memory.dag.node(block);
    for (let i = 0; i < depth && node.parent; i++) node = node.parent;
    return node.hash;
  }

  /** All intra-group blocks of a height and above, on every branch. */
  blocksFrom(height: number): Hash[] {
    const { dag } = this.memory;
    const blocks: Hash[] = [];
    for (let at = Math.max(0, height); at <= this.height; at++) blocks.push(...dag.hashesAt(chain, at));
    return blocks;
  }

  /** A block after `parent` in which these outputs and contracts come, or go where they are there. */
  async add(parent: Hash, outputs: readonly number[], contracts: readonly number[] = []): Promise<Hash> {
    const { invented } = this;
    const before = invented.states.get(parent)!;
    const after = {
      outputs: toggled(before.contents.outputs, outputs),
      contracts: toggled(before.contents.contracts, contracts),
    };
    const distinct = [...new Set(outputs)].filter(
      (number) => before.contents.outputs.has(number) !== after.outputs.has(number),
    );
    const changes = {
      removed: distinct.filter((n) => before.contents.outputs.has(n)).map((n) => recurringUtxo(n).reference),
      added: distinct.filter((n) => after.outputs.has(n)).map((n) => recurringUtxo(n)),
    };
    const records = contractChanges(before.contents.contracts, after.contracts);
    const applied = applyChanges(invented.nodes, before.state, changes, records);
    invented.nodes.add(applied.added);
    const { outputRoot, contractRoot } = applied.state;
    const header = this.header(chain, parent);
    invented.states.set(header.hash, { state: applied.state, contents: after });
    const worldState: StateCommit = {
      outputRoot,
      contractRoot,
      stateHash: stateHash(applied.state),
      addedNodes: applied.added,
      replacedNodes: applied.replaced,
      ...changes,
    };
    await this.store.commitBlock(this.extend(header, worldState));
    this.follow();
    return header.hash;
  }

  /** The chains to the other groups grow by so many blocks each, which start from `base`. */
  async grow(base: Hash, count = 1): Promise<void> {
    const commits: BlockCommit[] = [];
    for (let to = 0; to < groups; to++) {
      if (to === group) continue;
      for (let i = 0; i < count; i++) commits.push(this.extend(this.header({ from: group, to }, base), undefined));
    }
    await this.store.commitBlocks(commits);
    this.follow();
  }

  /** The nodes of a state, by what the store has; throws when it lacks one. */
  storedNodesOf(block: Hash): Promise<ReadonlySet<Hash>> {
    return this.reach(this.store, block);
  }

  /** The same of a store that forgets nothing. */
  allNodesOf(block: Hash): Promise<ReadonlySet<Hash>> {
    return this.reach(this.invented, block);
  }

  /** Every node of the store. */
  async storedNodes(): Promise<ReadonlySet<Hash>> {
    const all = new Set<Hash>();
    for await (const page of this.store.pruning!.nodePages()) for (const { hash } of page) all.add(hash);
    return all;
  }

  private reach(nodes: TrieNodeStore, block: Hash): Promise<ReadonlySet<Hash>> {
    const { outputRoot, contractRoot, codeRoot } = this.invented.states.get(block)!.state;
    return reachableNodes(nodes, [outputRoot, contractRoot, codeRoot]);
  }

  private header(of: ChainIndex, after: Hash): SealedHeader {
    const { dag } = this.memory;
    const number = ++this.invented.counter;
    const blockDeps = Array.from({ length: 2 * groups - 1 }, (_, slot) => {
      if (slot < groups - 1) return dag.genesis({ from: slot + 1, to: slot + 1 });
      const to = slot - groups + 1;
      return to === group ? after : dag.bestTip({ from: group, to });
    });
    const timestamp = genesisTime + BigInt(dag.height(after)) * 1000n + BigInt(number);
    const txsHash = named(`block ${number}`);
    const fields = { version: 0, blockDeps, depStateHash: zeroHash, txsHash, timestamp, target };
    return searchHeader(fields, of, settings);
  }

  /** Adds the block to the DAG; gives what is to be stored. */
  private extend(header: SealedHeader, worldState: StateCommit | undefined): BlockCommit {
    const { dag } = this.memory;
    const outcome = dag.plan(header);
    dag.add(header, outcome.weight);
    const head = this.store.projectionHead()!;
    return {
      header,
      height: outcome.height,
      weight: outcome.weight,
      orders: outcome.lists,
      tips: dag.tips(header.chainIndex),
      transactionIds: [],
      ...(worldState && { worldState, projection: projectionMove(dag, head, this.top) }),
    };
  }

  /** The best dependency is the canonical top. */
  private follow(): void {
    this.shown.best[groups - 1 + group] = this.top;
  }
}
