import { type StoredHeader } from '@shardnode/protocol/dag';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { type CrashPoint } from '../import/importer-parts.js';
import { createMemory, type GroupMemory, type MemoryLimits, storedHeaderOf } from '../memory/group-memory.js';
import { type GroupStore, type HeaderRow } from '../store/index.js';
import { checkGenesis, genesisCommits, genesisOf } from './genesis.js';

export interface LoadParts {
  readonly settings: NetworkSettings;
  readonly group: number;
  readonly store: GroupStore;
  /** Default: small limits, for tools. */
  readonly limits?: MemoryLimits;
  readonly crashPoint?: CrashPoint;
}

const ofTools: MemoryLimits = { trieNodeBytes: 2 ** 20, blockBytes: 2 ** 20 };

/** The newest headers of the store, genesis apart, and those beside tips that are deeper. */
const loadHeaders = async ({
  store,
  settings,
  limits = ofTools,
}: LoadParts): Promise<{ headers: Iterable<StoredHeader>; tips: readonly Hash[]; genesis: Set<Hash> }> => {
  const headers = new Map<Hash, StoredHeader>();
  const genesis = new Set<Hash>();
  const take = (rows: readonly HeaderRow[]): void => {
    for (const row of rows) {
      if (row.height === 0) genesis.add(row.hash);
      else if (!headers.has(row.hash)) headers.set(row.hash, storedHeaderOf(row, settings.groups));
    }
  };
  for await (const rows of store.newestHeights(limits.recentHeights ?? Number.POSITIVE_INFINITY)) take(rows);
  const tips = (await store.loadTips()).flatMap(({ hashes }) => hashes);
  const deep = tips.filter((hash) => !headers.has(hash) && !genesis.has(hash));
  if (deep.length > 0) take(await store.headerPages({ hashes: deep, heights: [] }));
  return { headers: headers.values(), tips, genesis };
};

/**
 * Loads the newest headers, tips and the pruning place of a store; writes the genesis blocks into an empty store. Throws
 * InvalidGenesis.
 */
export const loadMemory = async (parts: LoadParts): Promise<GroupMemory> => {
  const { settings, group, store, limits = ofTools, crashPoint } = parts;
  let { headers, tips, genesis } = await loadHeaders(parts);
  if (genesis.size === 0) {
    await store.commitBlocks(genesisCommits(settings, group));
    crashPoint?.('after-genesis');
    ({ headers, tips, genesis } = await loadHeaders(parts));
  }
  checkGenesis(settings, genesis);
  const memory = createMemory(settings, group, store, genesisOf(settings), limits, await store.pruning?.place());
  memory.dag.restore(headers, tips);
  return memory;
};
