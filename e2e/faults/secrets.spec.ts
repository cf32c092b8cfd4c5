import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { developmentKeys, testKeyOfGroup, type TestKey } from '@shardnode/testing/keys';
import { apiClient, type ApiClient, type Method } from '../kit/api-client.js';
import { Cluster } from '../kit/cluster/cluster.js';
import { asAdministrator } from '../kit/cluster/former-schema.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { statusOf } from '../kit/status-of.js';
import { confirmed, oneCoin, transfer } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';
import { BusTap } from '../kit/secrets/bus-tap.js';
import { type Canary, newCanary, secretsOf } from '../kit/secrets/canary.js';
import {
  databaseDumps,
  logs,
  type Place,
  processEntries,
  RedisTap,
  reportedPages,
} from '../kit/secrets/secret-places.js';
import { collectGarbage, secretsInMemory, withDebugger } from '../kit/secrets/process-memory.js';
import { type Finding, SecretSearch } from '../kit/secrets/secret-search.js';

/**
 * Who may carry what on the bus: requests of the gateway to the wallet-service, and the answers that go to the gateway's own
 * inbox. Nobody else may subscribe to either (`busAccounts`).
 */
const permittedOnBus: Readonly<Record<string, readonly string[]>> = {
  'coin.rpc.wallet.create': ['passphrase', 'password'],
  'answer to coin.rpc.wallet.create': ['mnemonic'],
  'coin.rpc.wallet.restore': ['mnemonic', 'passphrase', 'password'],
  'coin.rpc.wallet.unlock': ['passphrase', 'password', 'wrong password'],
  'coin.rpc.wallet.delete': ['password', 'wrong password'],
  'coin.rpc.wallet.reveal-mnemonic': ['password', 'wrong password'],
  'answer to coin.rpc.wallet.reveal-mnemonic': ['mnemonic'],
};

/** Answers over HTTP that hold a secret: to whoever made the wallet, and to whoever knows its password. */
const permittedAnswers = ['POST /wallets 200', 'POST /wallets/canary/reveal-mnemonic 200'];

/** Processes through which the secrets of a wallet go. */
const holders = ['gateway', 'wallet-service'] as const;

/** Put where secrets must not be, to see that they would be found there. */
const planted = randomBytes(32);

describeCluster('the secrets of a wallet', () => {
  let cluster: Cluster;
  let api: ApiClient;
  let bus: BusTap;
  let redis: RedisTap;
  let canary: Canary;
  let search: SecretSearch;
  let funded: readonly TestKey[];

  beforeAll(async () => {
    const draft = newCanary('');
    cluster = new Cluster({
      explorers: true,
      settings: { LOG_LEVEL: 'trace', ...withDebugger },
      postgres: { logging_collector: 'on', log_directory: 'log', log_statement: 'all' },
    });
    const keyFile = join(cluster.dataDir, 'api-key');
    writeFileSync(keyFile, `${draft.apiKey}\n`, { mode: 0o600 });
    await cluster.start({ API_KEY_FILE: keyFile });
    await cluster.process('explorer').start();
    bus = await BusTap.open(cluster);
    redis = await RedisTap.open(cluster);
    api = apiClient(() => cluster.baseUrl, 64, { 'X-API-KEY': draft.apiKey });
    funded = await developmentKeys();
    const created = await api.post<{ mnemonic: string }>('/wallets', {
      password: draft.password,
      mnemonicPassphrase: draft.passphrase,
      walletName: 'with-passphrase',
    });
    canary = { ...draft, mnemonic: created.mnemonic };
    search = new SecretSearch([...(await secretsOf(canary)), { name: 'planted', bytes: planted }]);
  });
  afterAll(async () => {
    api?.close();
    redis?.close();
    await bus?.close();
    await cluster?.remove();
  });

  /** The status; connections may break. */
  const ask = async (method: Method, path: string, body?: unknown, rawBody?: string): Promise<number> => {
    const request = { body, ...(rawBody === undefined ? {} : { rawBody }) };
    return api.send(method, path, request).then(
      ({ status }) => status,
      () => 0,
    );
  };

  it('are used: wallets are restored, unlocked, revealed, pay and are swept', async () => {
    const { mnemonic, password, passphrase, apiKey } = canary;
    expect(await statusOf(`${cluster.baseUrl}/wallets`)).toBe(401);
    expect(await ask('GET', '/wallets')).toBe(200);
    await api.put('/wallets', { password, mnemonic, walletName: 'canary' });
    // Of the wallet that is there: it gets the password anew.
    await api.put('/wallets', { password, mnemonic, walletName: 'canary' });
    const { address } = await api.post<{ address: string }>('/wallets/canary/derive-next-address?group=1');
    await api.post('/wallets/canary/change-active-address', { address });
    const amount = (value: bigint) => ({ attoCoinAmount: value.toString() });
    const paid = await transfer(api, funded[1]!, [{ address, ...amount(20n * oneCoin) }]);
    await confirmed(api, paid.txId);
    const destinations = [{ address: testKeyOfGroup(2).address, ...amount(oneCoin) }];
    await confirmed(api, (await api.post<{ txId: string }>('/wallets/canary/transfer', { destinations })).txId);
    await api.post('/wallets/canary/sign', { data: '5a'.repeat(32) });
    expect(await ask('POST', '/wallets/canary/reveal-mnemonic', { password })).toBe(200);
    await api.post('/wallets/canary/lock');
    await api.post('/wallets/canary/unlock', { password });
    await api.post('/wallets/with-passphrase/lock');
    await api.post('/wallets/with-passphrase/unlock', { password, mnemonicPassphrase: passphrase });
    for (const sweep of ['sweep-active-address', 'sweep-all-addresses']) {
      expect([200, 400]).toContain(
        await ask('POST', `/wallets/canary/${sweep}`, { toAddress: testKeyOfGroup(3).address }),
      );
    }
    await api.put('/wallets', { password, mnemonicPassphrase: passphrase, mnemonic, walletName: 'deleted' });
    await api.delete('/wallets/deleted', { password });
    expect(apiKey.length).toBeGreaterThanOrEqual(32);
  });

  it('leave the memory with the lock: seeds, keys and chain codes', async () => {
    const derived = (found: readonly Finding[]) => found.filter(({ name }) => name.includes(': '));
    const inMemoryOf = (name: (typeof holders)[number]) => secretsInMemory(cluster.process(name).pid!, search);
    const unlocked = await inMemoryOf('wallet-service');
    expect(unlocked).toContainEqual({ name: 'mnemonic: private key 0', form: 'bytes' });
    for (const name of ['canary', 'with-passphrase']) await api.post(`/wallets/${name}/lock`);
    for (const name of holders) {
      await collectGarbage(cluster.process(name));
      const found = await inMemoryOf(name);
      process.stderr.write(`${name}: ${found.map((one) => `${one.name} (${one.form})`).join(', ')}\n`);
      expect([name, derived(found)]).toEqual([name, []]);
    }
  });

  it('are used wrongly, and while servers are away', async () => {
    const { mnemonic, password, wrongPassword, passphrase } = canary;
    const words = mnemonic.split(' ');
    const bad = [...words.slice(0, -1), words[0]!].join(' ');
    expect(await ask('PUT', '/wallets', { password, mnemonic: bad, walletName: 'bad' })).toBe(400);
    expect(await ask('PUT', '/wallets', { password, mnemonic: words, walletName: 'bad' })).toBe(400);
    expect(await ask('PUT', '/wallets', { password: [password], mnemonic, walletName: { mnemonic } })).toBe(400);
    const ofAnother = { password, mnemonic, mnemonicPassphrase: passphrase, walletName: 'canary' };
    expect(await ask('PUT', '/wallets', ofAnother)).toBe(409);
    expect(await ask('PUT', '/wallets', undefined, `{"password":"${password}","mnemonic":"${mnemonic}`)).toBe(400);
    expect(
      await ask('POST', '/wallets/canary/unlock', { password: wrongPassword, mnemonicPassphrase: passphrase }),
    ).toBe(401);
    await cluster.proxy('wallet-service', 'postgres').cut();
    await waitFor(
      'the wallet-service to miss its database',
      async () => {
        const status = await ask('PUT', '/wallets', { password, mnemonic, walletName: 'nowhere' });
        return status === 503;
      },
      { everyMs: 200, timeoutMs: 60_000 },
    );
    await cluster.heal();
    await cluster.proxy('wallet-service', 'nats').cut();
    expect([0, 503]).toContain(await ask('POST', '/wallets/canary/reveal-mnemonic', { password }));
    await cluster.heal();
    await waitFor(
      'the wallet-service to be back',
      () =>
        cluster
          .process('wallet-service')
          .health()
          .then(({ ready }) => ready),
      { timeoutMs: 60_000 },
    );
    expect([401, 429]).toContain(await ask('POST', '/wallets/canary/reveal-mnemonic', { password: wrongPassword }));
    expect([401, 429]).toContain(await ask('DELETE', '/wallets/canary', { password: wrongPassword }));
  });

  it('are in memory when the wallet-service is killed, and when it breaks', async () => {
    const service = cluster.process('wallet-service');
    await service.kill9();
    await service.start();
    const unlocked = () => ask('POST', '/wallets/canary/unlock', { password: canary.password });
    // Wrong passwords made it wait.
    await waitFor('the wallet to be unlocked', async () => (await unlocked()) === 200, {
      everyMs: 500,
      timeoutMs: 120_000,
    });
    process.kill(service.pid!, 'SIGABRT');
    await service.ended;
    await service.start();
    expect(await unlocked()).toBe(200);
  });

  /** All places but the bus and the answers, which have permissions of their own. */
  const places = async (): Promise<Place[]> => [
    ...logs(cluster),
    ...(await reportedPages(cluster)),
    ...databaseDumps(cluster),
    ...(await redis.places()),
    ...processEntries(cluster),
  ];

  it('would be found: in a log, a database, Redis, on the bus and in an environment', async () => {
    const service = cluster.process('gateway');
    await service.restart({ PLANTED: planted.toString('base64url') });
    await asAdministrator(cluster, 'shardnode_group_2', async (client) => {
      await client.query('CREATE TABLE public.planted AS SELECT $1::bytea AS secret', [planted]);
    });
    await redis.set('planted', Buffer.from(planted.toString('base64')));
    await bus.publish('coin.planted', Buffer.from(JSON.stringify(planted)));
    await waitFor('the tap to hear', () => bus.messages.some(({ what }) => what === 'coin.planted'));
    const found = (await places()).filter(({ content }) => search.names(content).includes('planted'));
    const names = new Set(found.map(({ place }) => place));
    // The log of PostgreSQL holds the parameters of every statement.
    for (const place of [
      'database shardnode_group_2',
      'log of postgres',
      'values of Redis',
      'commands of Redis',
      'environ of gateway',
    ]) {
      expect(names).toContain(place);
    }
    const heard = bus.messages.filter(({ content }) => search.names(content).includes('planted'));
    expect(heard.map(({ what }) => what)).toEqual(['coin.planted']);
  });

  it('are in no log, metric, dump, key, command line or environment', async () => {
    const all = await places();
    const bytes = all.reduce((sum, { content }) => sum + content.length, 0);
    process.stderr.write(`${all.length} places, ${(bytes / 1e6).toFixed(1)} MB searched\n`);
    const found = all.flatMap(({ place, content }) =>
      search
        .find(content)
        .filter(({ name }) => name !== 'planted')
        .map((finding) => ({ place, ...finding })),
    );
    expect(found).toEqual([]);
    for (const { name, isRunning } of cluster.processes) {
      if (!isRunning) continue;
      const log = all.find(({ place }) => place === `log of ${name}`)!;
      expect(log.content.length).toBeGreaterThan(100);
    }
  });

  it('are on the bus only where they have to be', () => {
    const carried = new Map<string, Set<string>>();
    for (const { what, content } of bus.messages) {
      for (const name of search.names(content)) {
        if (name !== 'planted') carried.set(what, (carried.get(what) ?? new Set()).add(name));
      }
    }
    process.stderr.write(`${bus.messages.length} messages heard\n`);
    const seen = Object.fromEntries([...carried].map(([what, names]) => [what, [...names].sort()]));
    // What may carry a secret did: else the tap was deaf.
    expect(seen).toEqual(permittedOnBus);
  });

  it('are in no answer over HTTP but those that tell the words, and in no error', () => {
    const told = api.exchanges.flatMap(({ method, path, answer }) =>
      answer && search.names(answer.text + JSON.stringify(answer.headers)).length > 0
        ? [`${method} ${path} ${answer.status}`]
        : [],
    );
    expect([...new Set(told)].sort()).toEqual(permittedAnswers);
    expect(api.exchanges.filter(({ answer }) => (answer?.status ?? 200) >= 400).length).toBeGreaterThan(8);
  });
});
