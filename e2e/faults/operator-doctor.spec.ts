import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, startNats, type ServerProcess } from '@shardnode/core/servers';
import { type Environment } from '../kit/child-process.js';
import { groupNodeNames } from '../kit/cluster/cluster-process.js';
import { Cluster } from '../kit/cluster/cluster.js';
import { migrationsOf } from '../kit/cluster/migrations.js';
import { SmallDisk } from '../kit/cluster/small-disk.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { operatorBus, operatorDatabases, runOperator, succeed } from '../kit/operator.js';
import { waitFor } from '../kit/wait-for.js';

interface Finding {
  readonly code: string;
  readonly outcome: 'ok' | 'warning' | 'fault' | 'skipped';
  readonly what: string;
  readonly text: string;
  readonly next?: string;
}

const limit = 60_000;

describeCluster('operator doctor', () => {
  const cluster = new Cluster({ settings: { MINING: 'off' } });
  let folder: string;
  let healthy: Environment;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-doctor-'));
    await cluster.start();
    const services = cluster.processes.map(({ name, url }) => `${name}=${new URL(url).host}`);
    healthy = {
      ...operatorBus(cluster),
      ...operatorDatabases(cluster),
      REDIS_URL: cluster.servers.redis.url,
      DISK_FOLDERS: '/dev/shm',
      SERVICES: services.join(','),
    };
  }, 120_000);
  afterAll(async () => {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const examine = async (changes: Environment = {}): Promise<readonly Finding[]> => {
    const { code, output, errors } = await runOperator(['doctor', '--json'], { ...healthy, ...changes });
    if (errors !== '') throw new Error(errors);
    const { findings } = JSON.parse(output) as { findings: readonly Finding[] };
    expect(code).toBe(findings.some(({ outcome }) => outcome === 'fault') ? 1 : 0);
    return findings;
  };

  /** What is wrong, by code and place; each says what to do. */
  const wrongs = async (changes: Environment = {}): Promise<string[]> => {
    const wrong = (await examine(changes)).filter(({ outcome }) => outcome === 'fault' || outcome === 'warning');
    for (const { text, next } of wrong) expect([text, next?.length]).toEqual([text, expect.any(Number)]);
    return wrong.map(({ code, what }) => `${code}: ${what}`);
  };

  const asAdmin = async (database: string, ...statements: readonly string[]): Promise<void> => {
    const url = new URL(cluster.servers.postgres.url);
    url.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };

  it(
    'finds nothing in a healthy network, and says so',
    async () => {
      expect(await wrongs()).toEqual([]);
      const text = await succeed(['doctor'], healthy);
      expect(text).toContain('Nothing is wrong.');
      expect(text).toMatch(/ok +group 3 +ready/);
      expect(text).toMatch(/ok +database shardnode_wallet +answers/);
      const table = await succeed(['status'], operatorBus(cluster));
      expect(table).toContain('4 of 4 groups ready');
    },
    limit,
  );

  it(
    'finds a bus that is down',
    async () => {
      const port = await freePort();
      expect(await wrongs({ NATS_URL: `nats://127.0.0.1:${port}` })).toEqual([`bus-down: bus 127.0.0.1:${port}`]);
    },
    limit,
  );

  it(
    'finds a wrong password of the bus, and a user that may not ask',
    async () => {
      expect(await wrongs({ NATS_PASSWORD: 'a wrong password' })).toEqual(['bus-refused: bus']);
      const { user, password } = cluster.busAccess('explorer');
      const found = await wrongs({ NATS_USER: user, NATS_PASSWORD: password, NATS_NAMESPACE: 'other' });
      const others = cluster.processes.map(({ name }) => `service-other: ${name}`);
      expect(found).toEqual([...[0, 1, 2, 3].map((group) => `bus-permission: group ${group}`), ...others]);
    },
    limit,
  );

  it(
    'finds a bus for small messages only',
    async () => {
      // What comes first counts for NATS: ours stand behind it.
      const small = join(folder, 'nats');
      const server: ServerProcess = await startNats({ folder: small });
      const conf = join(small, 'nats.conf');
      await server.stop();
      writeFileSync(conf, `host: 127.0.0.1\nport: ${server.port}\nmax_payload: 1MB\n`);
      await server.start();
      try {
        const found = await wrongs({ NATS_URL: server.url });
        expect(found).toContain(`bus-payload: bus 127.0.0.1:${server.port}`);
        // The services are there, but on another bus.
        expect(found).toContain('service-other: gateway');
      } finally {
        await server.remove();
      }
    },
    limit,
  );

  it(
    'finds a database that is down, and a wrong password of one',
    async () => {
      const url = decodeURIComponent(healthy['DATABASE_URL']!);
      const names = [
        'shardnode_group_0',
        'shardnode_group_1',
        'shardnode_group_2',
        'shardnode_group_3',
        'shardnode_wallet',
      ];
      const away = url.replace(`:${new URL(cluster.servers.postgres.url).port}/`, `:${await freePort()}/`);
      expect(await wrongs({ DATABASE_URL: away })).toEqual(
        [...names, 'shardnode_explorer'].map((name) => `database-down: database ${name}`),
      );
      const { password } = new URL(cluster.databaseUrl('group-node-0'));
      const wrong = url.replace(password, 'wrong');
      // A network need not have an explorer, whose database then lets nobody in.
      expect(await wrongs({ DATABASE_URL: wrong })).toEqual(names.map((name) => `database-refused: database ${name}`));
    },
    limit,
  );

  it(
    'finds tables that are older or newer than the program',
    async () => {
      const table = 'group_2._prisma_migrations';
      const last = `(SELECT max(migration_name) FROM ${table})`;
      await asAdmin(
        'shardnode_group_2',
        `CREATE TABLE group_2.kept AS SELECT * FROM ${table} WHERE migration_name = ${last}`,
      );
      await asAdmin('shardnode_group_2', `DELETE FROM ${table} WHERE migration_name = ${last}`);
      expect(await wrongs()).toEqual(['schema-old: database shardnode_group_2']);
      await asAdmin(
        'shardnode_group_2',
        `UPDATE group_2.kept SET migration_name = '29990101000000_later'`,
        `INSERT INTO ${table} SELECT * FROM group_2.kept`,
      );
      expect(await wrongs()).toEqual(['schema-new: database shardnode_group_2']);
      const { name } = migrationsOf('group-node').at(-1)!;
      await asAdmin(
        'shardnode_group_2',
        `UPDATE ${table} SET migration_name = '${name}' WHERE migration_name LIKE '2999%'`,
      );
      await asAdmin('shardnode_group_2', 'DROP TABLE group_2.kept');
      expect(await wrongs()).toEqual([]);
    },
    2 * limit,
  );

  it(
    'finds a Redis that is down',
    async () => {
      const port = await freePort();
      expect(await wrongs({ REDIS_URL: `redis://127.0.0.1:${port}` })).toEqual([`redis-down: Redis 127.0.0.1:${port}`]);
    },
    limit,
  );

  it(
    'finds a disk that is nearly full',
    async () => {
      const disk = SmallDisk.mount(join(folder, 'disk'), 20);
      if (!disk) return;
      try {
        expect(await wrongs({ DISK_FOLDERS: disk.folder })).toEqual([]);
        disk.fill();
        expect(await wrongs({ DISK_FOLDERS: disk.folder })).toEqual([`disk-full: disk of ${disk.folder}`]);
      } finally {
        disk.unmount();
      }
    },
    limit,
  );

  it(
    'finds another program on the port of a service',
    async () => {
      const server: Server = createServer((socket) => void socket.on('error', () => undefined).end('hello\n'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      try {
        expect(await wrongs({ SERVICES: `wallet-service=127.0.0.1:${port}` })).toEqual(['port-busy: wallet-service']);
      } finally {
        server.close();
      }
      const free = await freePort();
      expect(await wrongs({ SERVICES: `gateway=127.0.0.1:${free}` })).toEqual(['service-missing: gateway']);
    },
    limit,
  );

  it(
    'finds settings of another network',
    async () => {
      const file = join(folder, 'other.json');
      writeFileSync(file, JSON.stringify({ networkId: 7, allocations: [] }));
      const all = [0, 1, 2, 3].map((group) => `network-other: group ${group}`);
      expect(await wrongs({ GENESIS_FILE: file })).toEqual([...all, 'service-other: gateway']);
    },
    limit,
  );

  it(
    'finds a clock that is off',
    async () => {
      cluster.setClockOffset('group-node-1', 600_000);
      await waitFor(
        'the clock to be found off',
        async () => {
          const found = await wrongs();
          return found.includes('clock-off: group 1') && !found.some((text) => text.startsWith('clock-off: group 0'));
        },
        { timeoutMs: limit },
      );
      cluster.setClockOffset('group-node-1', 0);
      await waitFor('the network to be well', async () => (await wrongs()).length === 0, { timeoutMs: limit });
    },
    3 * limit,
  );

  it(
    'finds a group that is missing, and one that waits for it',
    async () => {
      await cluster.process('group-node-3').stop();
      await cluster.process('group-node-2').stop();
      cluster.process('group-node-2').begin();
      await waitFor(
        'group 2 to wait',
        async () => {
          const found = await wrongs();
          return found.includes('group-missing: group 3') && found.includes('group-behind: group 2');
        },
        { timeoutMs: limit },
      );
      cluster.process('group-node-3').begin();
      await Promise.all(groupNodeNames.map((name) => cluster.process(name).ready));
      await waitFor('the network to be well', async () => (await wrongs()).length === 0, { timeoutMs: limit });
    },
    3 * limit,
  );
});
