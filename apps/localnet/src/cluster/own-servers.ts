import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CredentialFolder } from '@shardnode/core/credentials';
import { closeAll } from '@shardnode/core/lifecycle';
import { forgetKnownServers, writeKnownServers } from '@shardnode/messages/credentials';
import { startNats, startPostgres, startRedis, findProgram, type ServerProcess } from '@shardnode/core/servers';

/** Servers of this cluster alone. */
export interface OwnServers {
  readonly postgres: ServerProcess;
  readonly nats: ServerProcess;
  /** Undefined when Redis is not installed. */
  readonly redis: ServerProcess | undefined;
  stop(): Promise<void>;
}

const endWithinMs = 30_000;

interface Remembered {
  readonly pid: number;
  readonly folder: string;
}

/** The server resolves an included file relative to its own file, and rereads it with it. */
const include = (from: string, file: string): string => `include '${relative(from, file)}'`;

const fileOf = (folder: string): string => join(folder, 'servers.json');

const remembered = (folder: string): readonly Remembered[] => {
  try {
    return JSON.parse(readFileSync(fileOf(folder), 'utf8')) as Remembered[];
  } catch {
    return [];
  }
};

/** Whether a process of this id works in this folder: the id alone may belong to another process now. */
const worksIn = ({ pid, folder }: Remembered): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false;
  }
};

/** Ends the servers of a killed cluster: two of them on one folder would damage it. */
const endOrphans = async (folder: string): Promise<void> => {
  const orphans = remembered(folder).filter(worksIn);
  for (const { pid } of orphans) process.kill(pid, 'SIGINT');
  const deadline = performance.now() + endWithinMs;
  for (const orphan of orphans) {
    while (worksIn(orphan) && performance.now() < deadline) await pause(50);
  }
};

/**
 * Starts PostgreSQL, NATS and, if installed, Redis on free ports; the data stays in the folder. They admit only the
 * users of the credentials, and their addresses are written for the operator's program.
 */
export const startOwnServers = async (folder: string, credentials: CredentialFolder): Promise<OwnServers> => {
  const folders = { postgres: join(folder, 'postgres'), nats: join(folder, 'nats'), redis: join(folder, 'redis') };
  mkdirSync(folder, { recursive: true });
  await endOrphans(folder);
  const started: ServerProcess[] = [];
  const stop = (): Promise<void> => {
    forgetKnownServers(credentials.path);
    const order = started.splice(0).reverse();
    return closeAll(order.map((server) => () => server.stop()));
  };
  const keep = <Server extends ServerProcess>(server: Server): Server => {
    started.push(server);
    const list = started.map(({ name, pid = 0 }) => ({ pid, folder: folders[name] }));
    writeFileSync(fileOf(folder), JSON.stringify(list), { mode: 0o600 });
    return server;
  };
  try {
    const postgres = keep(
      await startPostgres({ folder: folders.postgres, password: credentials.read('database/admin') }),
    );
    const nats = keep(
      await startNats({
        folder: folders.nats,
        configuration: include(folders.nats, credentials.pathOf('nats/nats.conf')),
      }),
    );
    const hasRedis = findProgram('redis-server') !== undefined;
    const redis = hasRedis
      ? keep(await startRedis({ folder: folders.redis, usersFile: credentials.pathOf('redis/users.acl') }))
      : undefined;
    writeKnownServers(credentials.path, {
      POSTGRES_URL: `postgresql://postgres@127.0.0.1:${postgres.port}/postgres`,
      ...(redis && { REDIS_URL: redis.url }),
      ...(nats.pid === undefined ? {} : { NATS_PID: nats.pid }),
    });
    return { postgres, nats, redis, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
