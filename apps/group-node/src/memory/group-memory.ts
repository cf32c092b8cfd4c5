import { type Block, decodeBlock, decodeHeader } from '@shardnode/protocol/block';
import { BlockDag, BlocksMissing, type DagNode, SpentInputsMissing, type StoredHeader } from '@shardnode/protocol/dag';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import {
  ContractMiss,
  emptyWorldState,
  LoadedImmutables,
  LoadedNodes,
  loadContracts,
  loadMissing,
  loadMissingImmutables,
  loadPaths,
  RunMiss,
  StateMiss,
  type WorldState,
} from '@shardnode/protocol/state';
import { type Steps } from '@shardnode/protocol/validation';
import { PublishedChain } from '../dag/published-chain.js';
import { type ChainReads, type GroupStore, type HeaderRow, type PruningPlace } from '../store/index.js';
import { runSteps } from '../event-loop/yielding.js';
import { BlockCache } from './block-cache.js';
import { DataMissing } from './data-missing.js';
import { RecentSpent } from './recent-spent.js';
import { StateHorizon } from './state-horizon.js';
import { WorldStates } from './world-states.js';

export interface MemoryLimits {
  /** Bytes of decoded trie nodes (protocol 04 §9.2). */
  readonly trieNodeBytes: number;
  /** Bytes of decoded blocks. */
  readonly blockBytes: number;
  /** Bytes of decoded contracts: code and immutable states; absent: 16 MiB. */
  readonly contractBytes?: number;
  /** Heights of each chain whose headers are always in memory; absent: all. */
  readonly recentHeights?: number | undefined;
  /** Deeper heights whose headers stay in memory after a read; absent: 2,048. */
  readonly settledHeights?: number | undefined;
}

type ContractRoots = Pick<WorldState, 'outputRoot' | 'contractRoot'>;

/**
 * In-memory state of the chains of a group-node. All of it can be rebuilt from the store; a failed commit rebuilds it.
 * Reads are synchronous. A read throws the names of missing data, and `loaded` fetches the data and runs again.
 */
export interface GroupMemory {
  readonly settings: NetworkSettings;
  readonly group: number;
  /** The DAG of the writer: ahead of the store while blocks wait for their commit. */
  readonly dag: BlockDag;
  /** The DAG of queries: equal to the store. */
  readonly published: PublishedChain;
  readonly nodes: LoadedNodes;
  /** Code and immutable states of contracts (protocol 04 §4.3). */
  readonly immutables: LoadedImmutables;
  readonly blocks: BlockCache;
  readonly states: WorldStates;
  /** Decides which states are readable. */
  readonly horizon: StateHorizon;
  readonly spent: RecentSpent;
  /**
   * Runs synchronous code; loads in one batch what it misses and runs it again. It must have no effect before it
   * returns.
   */
  loaded<Result>(run: () => Result): Promise<Result>;
  /** A stored block by its hash, whatever its depth; undefined: there is none. */
  find(hash: Hash): Promise<DagNode | undefined>;
  /** Loads those of the blocks that are settled; calls in one event-loop tick share a batch. */
  lookUp(hashes: readonly Hash[]): Promise<void>;
  /** The same for long work, with yields to the event loop between its steps. A miss that it throws restarts it. */
  loadedInSteps<Result>(begin: () => Steps<Result>): Promise<Result>;
  /** Suspends eviction from the caches until the returned function is called: staged data cannot be loaded again. */
  hold(): () => void;
  /** Loads the paths to keys of a trie, one round trip per level. */
  loadKeys(root: Hash, keys: readonly Uint8Array[]): Promise<void>;
  /** Loads all data of some contracts of a state, in a few round trips. */
  loadContracts(state: ContractRoots, contractIds: readonly Hash[]): Promise<void>;
}

/** More rounds than any rule needs. */
const roundLimit = 10_000;

const defaultContractBytes = 16 * 2 ** 20;

const codeRoot = emptyWorldState().state.codeRoot;

export const storedHeaderOf = ({ raw, height, weight, rank }: HeaderRow, groups: number): StoredHeader => ({
  header: decodeHeader(raw, groups, { genesis: 'accepted' }),
  height,
  weight,
  heightRank: rank,
});

const loadHeaders = async (
  store: ChainReads,
  { dag, settings }: Pick<GroupMemory, 'dag' | 'settings'>,
  missed: BlocksMissing,
): Promise<void> => {
  const rows = await store.headerPages(missed);
  dag.load(
    rows.map((row) => storedHeaderOf(row, settings.groups)),
    missed,
  );
};

/** Settled blocks that are asked for one by one, in batches. */
const lookUps = ({ dag, loaded }: Pick<GroupMemory, 'dag' | 'loaded'>): GroupMemory['lookUp'] => {
  let asked: Set<Hash> | undefined;
  let batch: Promise<unknown> = Promise.resolve();
  return async (hashes) => {
    const unsure = hashes.filter((hash) => dag.mayBeSettled(hash));
    if (unsure.length === 0) return;
    if (!asked) {
      const all = new Set<Hash>();
      asked = all;
      batch = Promise.resolve().then(() => {
        asked = undefined;
        return loaded(() => dag.missing([...all]));
      });
    }
    for (const hash of unsure) asked.add(hash);
    await batch;
  };
};

const loadBodies = async (store: ChainReads, memory: GroupMemory, hashes: readonly Hash[]): Promise<Block[]> => {
  const bodies = await store.blockBodies(hashes);
  return hashes.map((hash) => {
    const raw = bodies.get(hash);
    if (!raw) throw new Error(`the store has no body of block ${hash}`);
    const block = decodeBlock(raw, memory.settings.groups, { genesis: 'accepted' });
    memory.blocks.add(block);
    return block;
  });
};

const loadStates = async (store: ChainReads, memory: GroupMemory, hashes: readonly Hash[]): Promise<void> => {
  const states = await store.worldStates(hashes);
  for (const hash of hashes) {
    const found = states.get(hash);
    if (!found) throw new Error(`the store has no world state of block ${hash}`);
    const { outputRoot, contractRoot, stateHash } = found;
    memory.states.add(hash, { state: { outputRoot, contractRoot, codeRoot }, stateHash });
  }
};

/** Continues a script that missed data until its end, loading the data it misses. */
const finishRun = async (store: GroupStore, memory: GroupMemory, { miss: first, goOn }: RunMiss): Promise<void> => {
  let miss: unknown = first;
  // Each round advances the script by at least one instruction, and its gas ends before the rounds do.
  for (let round = 0; round < roundLimit; round++) {
    await load(store, memory, miss);
    try {
      return goOn();
    } catch (next) {
      miss = next;
    }
  }
  throw new Error(`a script still misses something after ${roundLimit} loads`, { cause: miss });
};

/** Fetches the data that a synchronous read missed; rethrows any other error. */
const load = async (store: GroupStore, memory: GroupMemory, error: unknown): Promise<void> => {
  if (error instanceof RunMiss) return finishRun(store, memory, error);
  if (error instanceof ContractMiss) return memory.loadContracts(error.place, [error.place.contractId]);
  if (error instanceof StateMiss) {
    await Promise.all([
      loadMissing(store, memory.nodes, error.nodeHashes),
      loadMissingImmutables(store, memory.immutables, error.immutableHashes),
    ]);
    return;
  }
  if (error instanceof BlocksMissing) return loadHeaders(store, memory, error);
  if (error instanceof SpentInputsMissing) {
    const blocks = await loadBodies(store, memory, error.blockHashes);
    for (const block of blocks) memory.spent.add(block);
    return;
  }
  if (error instanceof DataMissing) {
    if (error.what === 'world-states') await loadStates(store, memory, error.hashes);
    else await loadBodies(store, memory, error.hashes);
    return;
  }
  throw error;
};

/** Loads missing data and runs again; meanwhile the caches retain all of it, even beyond their limits. */
const loadAndRun = async <Result>(
  store: GroupStore,
  memory: GroupMemory,
  missed: unknown,
  run: () => Result | Promise<Result>,
): Promise<Result> => {
  const release = memory.hold();
  try {
    let error = missed;
    for (let round = 0; round < roundLimit; round++) {
      await load(store, memory, error);
      try {
        return await run();
      } catch (next) {
        error = next;
      }
    }
    throw new Error(`data is still missing after ${roundLimit} loads`, { cause: error });
  } finally {
    release();
  }
};

const runOrLoad = async <Result>(store: GroupStore, memory: GroupMemory, run: () => Result): Promise<Result> => {
  try {
    return run();
  } catch (error) {
    return await loadAndRun(store, memory, error, run);
  }
};

type Caches = Pick<GroupMemory, 'dag' | 'blocks' | 'nodes' | 'immutables' | 'spent' | 'states'>;

const holdAll = ({ dag, blocks, nodes, immutables, spent, states }: Caches): (() => void) => {
  const releases = [dag, blocks, nodes, immutables, spent, states].map((cache) => cache.hold());
  return () => releases.forEach((release) => release());
};

/** An empty memory: the genesis blocks only. `start/rebuild` fills it. */
export const createMemory = (
  settings: NetworkSettings,
  group: number,
  store: GroupStore,
  genesis: readonly Block[],
  limits: MemoryLimits,
  pruned?: PruningPlace,
): GroupMemory => {
  const dag = new BlockDag(
    settings,
    genesis.map((block) => block.header),
    { window: limits.recentHeights, settled: limits.settledHeights },
  );
  const loaded: GroupMemory['loaded'] = async (run) => runOrLoad(store, memory, run);
  const memory: GroupMemory = {
    settings,
    group,
    dag,
    published: new PublishedChain(dag, settings),
    nodes: new LoadedNodes(limits.trieNodeBytes),
    immutables: new LoadedImmutables(limits.contractBytes ?? defaultContractBytes),
    blocks: new BlockCache(limits.blockBytes),
    states: new WorldStates(),
    horizon: new StateHorizon(dag, pruned, loaded),
    spent: new RecentSpent(),
    loaded,
    find: (hash) => loaded(() => (memory.published.has(hash) ? memory.published.node(hash) : undefined)),
    lookUp: lookUps({ dag, loaded }),
    loadedInSteps: async (begin) => {
      const run = () => runSteps(begin(), (missed) => load(store, memory, missed));
      // Data that a step has read stays in memory until the last step has run.
      const release = memory.hold();
      try {
        return await run();
      } catch (error) {
        return await loadAndRun(store, memory, error, run);
      } finally {
        release();
      }
    },
    hold: () => holdAll(memory),
    loadContracts: async (state, contractIds) => {
      const release = memory.hold();
      try {
        await loadContracts({ store, nodes: memory.nodes, immutables: memory.immutables }, state, contractIds);
      } finally {
        release();
      }
    },
    loadKeys: (root, keys) => loadPaths(store, memory.nodes, root, keys),
  };
  for (const block of genesis) {
    memory.blocks.add(block);
    memory.spent.add(block);
  }
  return memory;
};
