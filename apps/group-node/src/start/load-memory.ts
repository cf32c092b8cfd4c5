import { decodeHeader } from '@shardnode/protocol/block';
import { type StoredHeader } from '@shardnode/protocol/dag';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { type CrashPoint } from '../import/index.js';
import { createMemory, type GroupMemory, type MemoryLimits } from '../memory/group-memory.js';
import { type GroupStore } from '../store/index.js';
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

/** All headers of the store, genesis apart. */
const loadHeaders = async ({
  store,
  settings,
}: LoadParts): Promise<{ headers: StoredHeader[]; genesis: Set<Hash> }> => {
  const headers: StoredHeader[] = [];
  const genesis = new Set<Hash>();
  for await (const rows of store.loadChainRows()) {
    for (const { hash, raw, height, weight, rank } of rows) {
      if (height === 0) genesis.add(hash);
      else headers.push({ header: decodeHeader(raw, settings.groups), height, weight, heightRank: rank });
    }
  }
  return { headers, genesis };
};

/**
 * Loads headers, tips and the pruning place of a store; writes the genesis blocks into an empty store. Throws
 * InvalidGenesis.
 */
export const loadMemory = async (parts: LoadParts): Promise<GroupMemory> => {
  const { settings, group, store, limits = ofTools, crashPoint } = parts;
  let { headers, genesis } = await loadHeaders(parts);
  if (genesis.size === 0 && headers.length === 0) {
    await store.commitBlocks(genesisCommits(settings, group));
    crashPoint?.('after-genesis');
    ({ headers, genesis } = await loadHeaders(parts));
  }
  checkGenesis(settings, genesis);
  const memory = createMemory(settings, group, store, genesisOf(settings), limits, await store.pruning?.place());
  const tips = await store.loadTips();
  memory.dag.restore(
    headers,
    tips.flatMap(({ hashes }) => hashes),
  );
  return memory;
};
