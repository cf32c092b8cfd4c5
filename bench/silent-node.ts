/** One group-node without siblings, which imports what it is given; over the embedded database on disk or over PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type DatabaseHost, openDatabaseServer, openEmbeddedDatabase } from '@shardnode/core/database';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, startPostgres } from '@shardnode/core/servers';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { openGroupNode, type GroupNode } from '../apps/group-node/src/group-node.js';
import { groupNodeMigrations, openGroupStore } from '../apps/group-node/src/store/index.js';

const group = 0;
const megabyte = 2 ** 20;

export interface OpenedDatabase {
  readonly host: DatabaseHost;
  close(): Promise<void>;
}

/** Where a database is that may be closed and opened again. */
export type DatabasePlace =
  { readonly kind: 'embedded'; readonly folder: string } | { readonly kind: 'server'; readonly url: string };

export const openAt = async (place: DatabasePlace): Promise<OpenedDatabase> => {
  const host =
    place.kind === 'embedded'
      ? await openEmbeddedDatabase({ dataDir: place.folder })
      : openDatabaseServer({ url: place.url, applicationName: 'group-node-0', logger: silentLogger });
  return { host, close: () => host.close() };
};

export const embedded = (folder: string): Promise<OpenedDatabase> => openAt({ kind: 'embedded', folder });

/** A server with fsync, as in production. */
export const benchServer = (folder: string) => startPostgres({ folder: join(folder, 'postgres') });

/** A new database of a server. */
export const databaseOn = async (server: { readonly url: string }, name: string): Promise<DatabasePlace> => ({
  kind: 'server',
  url: await createServiceDatabase(server.url, name, randomBytes(16).toString('hex')),
});

export const onServer = async (folder: string): Promise<OpenedDatabase> => {
  const server = await benchServer(folder);
  const { host, close } = await openAt(await databaseOn(server, 'shardnode_group_0'));
  return { host, close: () => close().then(() => server.remove()) };
};

/** The store of group 0 in a database. */
export const storeIn = async (network: NetworkSettings, { host }: OpenedDatabase) => {
  const database = host.service('group_0');
  await database.migrate(groupNodeMigrations);
  return { database, store: await openGroupStore({ database, group, groups: network.groups }) };
};

export interface NodeWishes {
  /** Intra-group heights whose states are retained; absent: all. */
  readonly pruningHorizon?: number | undefined;
  readonly pruned?: (nodes: number, milliseconds: number) => void;
  /** Heights of each chain whose headers are in memory; absent: all. */
  readonly recentHeights?: number | undefined;
}

/** The group-node of group 0. */
export const silentNode = async (
  network: NetworkSettings,
  opened: OpenedDatabase,
  { pruningHorizon, pruned, recentHeights }: NodeWishes = {},
) => {
  const { store } = await storeIn(network, opened);
  const node = await openGroupNode(
    {
      settings: network,
      group,
      limits: { trieNodeBytes: 64 * megabyte, blockBytes: 16 * megabyte, recentHeights },
      mining: { mode: 'off', interval: 0, heartbeat: 0, followUp: 0 },
      minerAddresses: [],
      lazyCommit: 50,
      blocksPerCommit: 32,
      pruningHorizon,
    },
    {
      store,
      clock: systemClock,
      logger: silentLogger,
      peers: { publish: () => undefined },
      groups: { request: () => Promise.reject(new Error('there are no siblings')) },
      randomBytes,
      ...(pruned && { pruned }),
    },
  );
  node.sync.assumeSynced();
  return { node, close: () => node.stop().then(() => opened.close()) };
};

/** Until all of them are stored. */
export const importAll = async ({ intake, settle }: GroupNode, blocks: readonly Uint8Array[]): Promise<void> => {
  for (const raw of blocks) {
    const outcome = await intake.accept(raw, 'block', { kind: 'submitted' });
    if (outcome.kind !== 'added') throw new Error(`a block is ${JSON.stringify(outcome)}`);
  }
  await settle();
};
