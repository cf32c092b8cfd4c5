import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { withRedis } from '@shardnode/core/credentials';
import { freePort } from '@shardnode/core/servers';
import {
  explorerDatabase,
  explorerReader,
  networkCredentials,
  readKnownServers,
  type NetworkCredential,
} from '@shardnode/messages/credentials';
import { developmentKeys } from '@shardnode/testing/keys';
import { describeWithServers } from '@shardnode/testing/servers';
import { apiClient, type ApiClient } from '../kit/api-client.js';
import { startProcess, type StartedProcess } from '../kit/child-process.js';
import { FaultLoad } from '../kit/cluster/fault-load.js';
import { checkLedger } from '../kit/ledger.js';
import { groups } from '../kit/chains.js';
import { isLong } from '../kit/network.js';
import { waitFor } from '../kit/wait-for.js';

const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const all = networkCredentials(groups.length);
/** Rotations of everything, and milliseconds of load between them. */
const rotations = isLong ? 10 : 2;
const betweenMs = isLong ? 5_000 : 2_000;

type Secrets = Readonly<Record<string, string>>;

describeWithServers(['postgres', 'nats', 'redis'], 'rotation of all secrets under load', () => {
  let dataDir: string;
  let credentials: string;
  let cluster: StartedProcess;
  let api: ApiClient;
  let load: FaultLoad;
  let natsUrl: string;
  const printed: string[] = [];

  const run = (program: string, ...words: readonly string[]): StartedProcess =>
    startProcess(process.execPath, [`apps/${program}.js`, ...words], environment, projectFolder);
  let environment: Readonly<Record<string, string>>;
  const secrets = (): Secrets =>
    Object.fromEntries(all.map(({ name }) => [name, readFileSync(join(credentials, name), 'utf8').trim()]));
  const rotate = async (): Promise<string> => {
    const rotation = run('operator/dist/main', 'credentials', 'rotate', '--folder', credentials);
    const { code } = await rotation.ended;
    const text = rotation.standardOutput() + rotation.standardError();
    printed.push(text);
    expect([code, text]).toEqual([0, expect.stringContaining('nats/gateway is new')]);
    return text;
  };
  const isReady = async (): Promise<boolean> => (await api.send('GET', '/health/ready')).status === 200;

  /** Whether a server lets in who has this secret. */
  const letsIn: Readonly<Record<NetworkCredential['server'], (user: string, secret: string) => Promise<boolean>>> = {
    postgres: async (user, secret) => {
      const url = new URL(readKnownServers(credentials).POSTGRES_URL!);
      url.password = secret;
      const database = user === explorerReader ? explorerDatabase : user;
      if (user !== 'admin') [url.username, url.pathname] = [user, `/${database}`];
      const client = new pg.Client({ connectionString: url.toString() });
      client.on('error', () => undefined);
      return client.connect().then(
        () => client.end().then(() => true),
        (error: { readonly code?: string }) => {
          expect(error.code).toBe('28P01');
          return false;
        },
      );
    },
    nats: (user, secret) =>
      connect({ servers: natsUrl, user, pass: secret, reconnect: false }).then(
        (connection) => connection.close().then(() => true),
        (error: Error) => {
          expect(error.name).toBe('AuthorizationError');
          return false;
        },
      ),
    redis: (user, secret) =>
      withRedis({ url: readKnownServers(credentials).REDIS_URL!, user, password: () => secret }, (ask) =>
        ask('PING'),
      ).then(
        () => true,
        (error: Error) => {
          expect(error.message).toMatch(/^WRONGPASS/);
          return false;
        },
      ),
    gateway: () => Promise.resolve(true),
  };
  const whoGetsIn = async (given: Secrets): Promise<string[]> => {
    const getsIn = await Promise.all(all.map(({ name, server, user }) => letsIn[server](user, given[name]!)));
    return all.filter(({ server }, i) => server !== 'gateway' && getsIn[i]).map(({ name }) => name);
  };
  const everybody = all.filter(({ server }) => server !== 'gateway').map(({ name }) => name);

  /** Every connection of a service is made anew: with the secret that its file has now. */
  const cutConnections = async (): Promise<void> => {
    const now = secrets();
    const { POSTGRES_URL, REDIS_URL } = readKnownServers(credentials);
    const url = new URL(POSTGRES_URL!);
    url.password = now['database/admin']!;
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'shardnode%'");
    await client.end();
    await withRedis({ url: REDIS_URL!, user: 'admin', password: () => now['redis/admin'] }, (ask) =>
      ask('CLIENT', 'KILL', 'USER', 'gateway'),
    );
  };

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'shardnode-rotation-'));
    credentials = join(dataDir, 'credentials');
    environment = {
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      HEALTH_PORT: '0',
      EXPLORER_PORT: '0',
      RATE_LIMIT: '1000000',
    };
    cluster = run('localnet/dist/cluster/main', '--servers', '--json');
    const line = await cluster.line((text) => text.startsWith('{"baseUrl"'), 180_000);
    const ready = JSON.parse(line) as {
      readonly baseUrl: string;
      readonly servers: readonly { readonly name: string; readonly place: string }[];
    };
    natsUrl = `nats://${ready.servers.find(({ name }) => name === 'NATS')!.place}`;
    api = apiClient(() => ready.baseUrl);
    load = await FaultLoad.prepare([api], await developmentKeys(), { sendersPerGroup: 2, everyMs: 50 });
  });
  afterAll(async () => {
    api?.close();
    if (cluster && !cluster.end()) {
      cluster.signal('SIGINT');
      await cluster.ended;
    }
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('loses no transfer, and ends with every old secret worthless', async () => {
    const seen: Secrets[] = [secrets()];
    expect(await whoGetsIn(seen[0]!)).toEqual(everybody);
    load.begin();
    await pause(betweenMs);
    for (let round = 0; round < rotations; round++) {
      const before = load.acknowledged;
      await rotate();
      const now = secrets();
      expect(all.filter(({ name }) => seen.some((old) => old[name] === now[name]))).toEqual([]);
      seen.push(now);
      // A reload of the bus takes a moment.
      await waitFor('the new secrets', async () => (await whoGetsIn(now)).length === everybody.length);
      for (const old of seen.slice(0, -1)) expect(await whoGetsIn(old)).toEqual([]);
      await waitFor('the network', isReady, { timeoutMs: 30_000 });
      await waitFor('transfers', () => load.acknowledged > before + 5, { timeoutMs: 30_000 });
      await cutConnections();
      await waitFor('the network on new connections', isReady, { timeoutMs: 30_000 });
      await waitFor('the cache', async () =>
        /^cache_reachable\{cache="shared".*\} 1$/m.test((await api.send('GET', '/metrics')).text),
      );
      const after = load.acknowledged;
      await waitFor('transfers on new connections', () => load.acknowledged > after + 5, { timeoutMs: 30_000 });
    }
    await load.rest();
    await load.settle();
    expect(load.defects).toEqual([]);
    await checkLedger(api);
    process.stderr.write(
      `${rotations} rotations of ${all.length} secrets, ${load.acknowledged} transfers, none lost\n`,
    );
    // Nobody has been restarted, and no secret was told.
    expect(cluster.standardError()).not.toMatch(/started again/);
    const logs = ['gateway', 'wallet-service', ...groups.map((group) => `group-node-${group}`)].map((name) => {
      const file = join(dataDir, 'logs', `${name}.log`);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    });
    const told = [...printed, ...logs, cluster.standardOutput(), cluster.standardError()].join('\n');
    expect(seen.flatMap((each) => Object.values(each)).filter((secret) => told.includes(secret))).toEqual([]);
  });
});
