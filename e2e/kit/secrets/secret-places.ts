import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from '@shardnode/core/servers';
import { Redis } from 'ioredis';
import { type Cluster } from '../cluster/cluster.js';

/** A place in which no secret may be, with what is there. */
export interface Place {
  readonly place: string;
  readonly content: Buffer;
}

const place = (name: string, content: Buffer | string): Place => ({ place: name, content: Buffer.from(content) });

const allDatabases = [
  'shardnode_group_0',
  'shardnode_group_1',
  'shardnode_group_2',
  'shardnode_group_3',
  'shardnode_wallet',
  'shardnode_explorer',
];

/** What `pg_dump` gives of each database. */
export const databaseDumps = (cluster: Cluster): Place[] =>
  allDatabases.map((database) => {
    const url = new URL(cluster.servers.postgres.url);
    const environment = { PATH: process.env['PATH'], PGPASSWORD: url.password };
    const args = ['-h', url.hostname, '-p', url.port, '-U', url.username, database];
    const options = { env: environment, maxBuffer: 2 ** 30 };
    return place(`database ${database}`, execFileSync(requireProgram('postgres', 'pg_dump'), args, options));
  });

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Logs of services and servers; PostgreSQL writes its own into its folder (`logging_collector`), with every statement. */
export const logs = (cluster: Cluster): Place[] => [
  ...cluster.processes.map((process) => place(`log of ${process.name}`, process.log())),
  ...Object.values(cluster.servers).map((server) => place(`log of ${server.name}`, server.log())),
  ...filesBelow(join(cluster.dataDir, 'postgres/data/log')).map((file) => place('log of postgres', readFileSync(file))),
];

const running = ({ processes }: Cluster) => processes.filter(({ isRunning }) => isRunning);

const pagesOfServices = [
  '/metrics',
  '/health/ready',
  '/health/live',
  '/openapi.json',
  '/infos/node',
  '/docs/openapi.json',
  '/infos/sync',
];

/** What a service tells whoever asks its HTTP port: metrics, health and description. */
export const reportedPages = async (cluster: Cluster): Promise<Place[]> => {
  const pages = running(cluster).flatMap(({ name, url }) => pagesOfServices.map((path) => ({ name, url, path })));
  return Promise.all(
    pages.map(async ({ name, url, path }) => place(`${path} of ${name}`, await (await fetch(url + path)).text())),
  );
};

/** Command lines and environments of all processes of the cluster, as other programs of the same user see them. */
export const processEntries = (cluster: Cluster): Place[] => {
  const services = running(cluster).map(({ name, pid }) => ({ name: String(name), pid }));
  const servers = Object.values(cluster.servers).map(({ name, pid }) => ({ name: String(name), pid }));
  return [...services, ...servers].flatMap(({ name, pid }) =>
    ['cmdline', 'environ'].map((entry) => place(`${entry} of ${name}`, readFileSync(`/proc/${pid}/${entry}`))),
  );
};

/** All keys and values of Redis, and every command since `open`. */
export class RedisTap {
  private readonly heard: string[] = [];

  private constructor(
    private readonly client: Redis,
    private readonly monitor: Redis,
  ) {
    monitor.on('monitor', (_time: string, args: readonly string[]) => this.heard.push(args.join(' ')));
  }

  static async open(cluster: Cluster): Promise<RedisTap> {
    const client = new Redis(cluster.servers.redis.url);
    client.on('error', () => undefined);
    return new RedisTap(client, await client.monitor());
  }

  set(key: string, value: Buffer): Promise<unknown> {
    return this.client.set(key, value);
  }

  async places(): Promise<Place[]> {
    const values: Buffer[] = [];
    for await (const keys of this.client.scanStream() as AsyncIterable<string[]>) {
      for (const key of keys)
        values.push(Buffer.from(`${key}\n`), (await this.client.dumpBuffer(key)) ?? Buffer.alloc(0));
    }
    return [place('values of Redis', Buffer.concat(values)), place('commands of Redis', this.heard.join('\n'))];
  }

  close(): void {
    this.monitor.disconnect();
    this.client.disconnect();
  }
}
