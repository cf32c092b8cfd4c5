import { join } from 'node:path';
import { type ServerName, type ServerProcess, startNats, startPostgres, startRedis } from '@shardnode/core/servers';
import { type Reaper } from './reaper.js';

export type ClusterServers = Readonly<Record<ServerName, ServerProcess>>;

export interface ServerOptions {
  readonly folder: string;
  /** Settings of PostgreSQL over those of the kit: `{ fsync: 'off' }`. */
  readonly postgres?: Readonly<Record<string, string>>;
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
export const startClusterServers = async ({
  folder,
  postgres = {},
  reaper,
}: ServerOptions): Promise<ClusterServers> => {
  const starts = await Promise.allSettled([
    startPostgres({ folder: join(folder, 'postgres'), settings: postgres }),
    startNats({ folder: join(folder, 'nats') }),
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
