import { type DatabaseHost } from '@shardnode/core/database';
import { MemoryDisk, openMemoryStore } from '@shardnode/simulator';
import { type TestStores } from './embedded-stores.js';

const sumOfLengths = (lists: Iterable<readonly unknown[]>): number =>
  [...lists].reduce((sum, list) => sum + list.length, 0);

/** Rows that a database would have. */
const rowsOf: Readonly<Record<string, (disk: MemoryDisk) => number>> = {
  block_header: ({ headers }) => headers.size,
  block_body: ({ bodies }) => bodies.size,
  transaction_location: ({ locations }) => sumOfLengths(locations.values()),
  world_state: ({ states }) => states.size,
  trie_node: ({ nodes }) => nodes.size,
  utxo: ({ utxos }) => utxos.size,
  contract_immutable: ({ immutables }) => immutables.size,
  event_page: ({ eventPages }) => sumOfLengths(eventPages.values()),
  event: ({ eventsOfBlock }) => sumOfLengths(eventsOfBlock.values()),
};

/** The simulator's stores over disks in memory. */
export const memoryStores = async (): Promise<TestStores> => {
  const disks = [0, 1, 2, 3].map(() => new MemoryDisk());
  const stores: TestStores = {
    get host(): DatabaseHost {
      throw new Error('a store in memory has no database');
    },
    store: async (group) => openMemoryStore({ disk: disks[group]!, group, groups: disks.length }),
    counts: async (group, tables) => Object.fromEntries(tables.map((table) => [table, rowsOf[table]!(disks[group]!)])),
    spoilProjection: async (group) => {
      const { utxos } = disks[group]!;
      for (const [key, { reference }] of utxos) if (reference.hint % 2 !== 0) utxos.delete(key);
    },
    reopen: async () => stores,
    remove: async () => undefined,
  };
  return stores;
};
