import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type ServerName, type ServerProcess, startNats, startPostgres, startRedis } from '@shardnode/core/servers';
import { busAccounts, renderBusAccounts } from '@shardnode/messages';
import { groups } from '../chains.js';
import { type Reaper } from './reaper.js';

/** Name of the network on the bus, as in the settings of all services. */
export const busNamespace = 'coin';

/** The user of the tests, who may do everything on the bus. */
export const testUser = 'tester';

/** Users of the bus with the permissions of the messages, and their passwords. */
export interface BusUsers {
  /** Lines of the server's configuration. */
  readonly configuration: string;
  readonly passwords: Readonly<Record<string, string>>;
}

export const makeBusUsers = (): BusUsers => {
  const everything = { user: testUser, publish: ['>'], subscribe: ['>'], answers: false };
  const accounts = [...busAccounts(busNamespace, groups.length), everything];
  const passwords = Object.fromEntries(accounts.map(({ user }) => [user, randomBytes(12).toString('hex')]));
  return { configuration: renderBusAccounts(accounts, passwords), passwords };
};

export type ClusterServers = Readonly<Record<ServerName, ServerProcess>>;

export interface ServerOptions {
  readonly folder: string;
  /** Settings of PostgreSQL over those of the kit: `{ fsync: 'off' }`. */
  readonly postgres?: Readonly<Record<string, string>>;
  /** Folder of the PostgreSQL whose data this one begins with; default: an empty one. */
  readonly postgresCopyOf?: string;
  /** Where the data of PostgreSQL are to be; default: in `folder`. */
  readonly postgresFolder?: string;
  readonly busUsers: BusUsers;
  readonly reaper: Reaper;
}

/** The reaper has to learn of every start. */
const watched = (server: ServerProcess, reaper: Reaper): ServerProcess => {
  const watch = (): void => {
    if (server.pid !== undefined) reaper.watchProcess(server.pid);
  };
  const start = server.start.bind(server);
  server.start = async () => {
    const started = start();
    watch();
    await started;
  };
  watch();
  return server;
};

/** PostgreSQL, NATS and Redis of one cluster alone, started at the same time. A failed start leaves none of them behind. */
export const startClusterServers = async (options: ServerOptions): Promise<ClusterServers> => {
  const { folder, postgres = {}, postgresCopyOf: copyOf, postgresFolder = folder, busUsers, reaper } = options;
  const starts = await Promise.allSettled([
    startPostgres({
      folder: join(postgresFolder, 'postgres'),
      settings: postgres,
      ...(copyOf !== undefined && { copyOf }),
    }),
    startNats({ folder: join(folder, 'nats'), configuration: busUsers.configuration }),
    startRedis({ folder: join(folder, 'redis') }),
  ]);
  const servers = starts.flatMap((start) => (start.status === 'fulfilled' ? [watched(start.value, reaper)] : []));
  const failure = starts.find((start) => start.status === 'rejected');
  if (failure) {
    await Promise.all(servers.map((server) => server.remove()));
    throw failure.reason;
  }
  return Object.fromEntries(servers.map((server) => [server.name, server])) as unknown as ClusterServers;
};
