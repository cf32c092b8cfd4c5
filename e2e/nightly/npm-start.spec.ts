import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { openEmbeddedDatabase } from '@shardnode/core/database';
import { freePort } from '@shardnode/core/servers';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { apiClient } from '../kit/api-client.js';
import { describeEmbedded } from '../kit/deployment-under-test.js';
import { type Ready } from '../kit/deployment.js';
import { type Environment } from '../kit/child-process.js';
import { beginEmbedded } from '../kit/embedded-deployment.js';
import { checkLedger } from '../kit/ledger.js';
import { type Network, startNetwork } from '../kit/network.js';
import { runOperator, succeed } from '../kit/operator.js';
import { waitFor } from '../kit/wait-for.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../kit/transfers.js';

const isRoot = process.getuid?.() === 0;

interface Failure {
  readonly code: number | null;
  readonly text: string;
  readonly milliseconds: number;
}

/** A start that is to fail: what it says, and how soon. */
const failingStart = async (settings: Environment, ...args: readonly string[]): Promise<Failure> => {
  const began = performance.now();
  const started = beginEmbedded(settings, ['--json', ...args]);
  const impatience = setTimeout(() => started.signal('SIGKILL'), 15_000);
  const { code } = await started.ended;
  clearTimeout(impatience);
  return {
    code,
    text: (started.standardOutput() + started.standardError()).trim(),
    milliseconds: performance.now() - began,
  };
};

/** Milliseconds; others that use the machine too get their share. */
const failsWithinMs = (): number => (loadavg()[0]! > availableParallelism() ? 8_000 : 2_000);

/** One sentence, or two where the second is the remedy; on one line, without a stack; within 2 seconds on a quiet machine. */
const expectOneSentence = async (settings: Environment, says: RegExp, ...args: readonly string[]): Promise<void> => {
  const tries: Failure[] = [];
  do tries.push(await failingStart(settings, ...args));
  while (tries.at(-1)!.milliseconds > failsWithinMs() && tries.length < 3);
  const { code, text, milliseconds } = tries.at(-1)!;
  expect(text).toMatch(says);
  expect(text.split('\n')).toHaveLength(1);
  expect(text).not.toMatch(/ {4}at |Error:/);
  expect(code).toBe(1);
  expect(milliseconds).toBeLessThan(failsWithinMs());
};

describeEmbedded('npm start', () => {
  let network: Network;
  let restarted: Ready | undefined;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-e2e-'));
    network = await startNetwork({ DEV_WALLET: 'true', EXPLORER: 'on', EXPLORER_PORT: '0' });
  });
  afterAll(async () => {
    await network?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const pay = async (address: string): Promise<void> => {
    const { api, funded } = network;
    const { txId } = await transfer(api, funded[1]!, [{ address, attoCoinAmount: oneCoin.toString() }]);
    await confirmed(api, txId);
  };
  /** Waits until the index is live and shows a balance: the last block before a kill may follow a moment later. */
  const untilIndexed = ({ explorerUrl }: Ready, address: string, balance: bigint): Promise<unknown> => {
    const get = async <T>(path: string): Promise<T> => (await (await fetch(`${explorerUrl}${path}`)).json()) as T;
    return waitFor(`the explorer to be live, and to show ${balance}`, async () => {
      const { phase, synced } = await get<{ phase: string; synced: boolean }>('/infos/sync');
      const shown = await get<{ balance: string }>(`/addresses/${address}/balance`);
      return phase === 'live' && synced && shown.balance === String(balance);
    });
  };
  /** In the data folder of the network, which does not run. */
  const changeIndex = async (script: string): Promise<void> => {
    const { dataDir } = network.deployment;
    const { identity } = JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8')) as { identity: string };
    const databases = await openEmbeddedDatabase({ dataDir: join(dataDir, 'explorer'), identity });
    await databases
      .service('explorer')
      .script(script)
      .finally(() => databases.close());
  };

  it('says what a newcomer needs', async () => {
    const { ready, deployment, funded, api } = network;
    expect(ready).toMatchObject({ baseUrl: deployment.baseUrl, networkId: 4, dataDir: deployment.dataDir });
    expect(ready.docsUrl).toBe(`${ready.baseUrl}/docs`);
    expect(ready.mnemonic.split(' ')).toHaveLength(24);
    expect(ready.accounts.map(({ address, group }) => ({ address, group }))).toEqual(
      funded.map(({ address, group }) => ({ address, group })),
    );
    expect(ready.accounts.every(({ balance }) => balance === '1000000 COIN')).toBe(true);
    expect(ready.accounts.map(({ privateKey }) => privateKey)).toEqual(
      funded.map(({ privateKey }) => Buffer.from(privateKey).toString('hex')),
    );
    const docs = await api.send('GET', '/docs/');
    expect(docs.status).toBe(200);
    expect(await api.send('GET', '/docs')).toMatchObject({ status: 308, headers: { location: 'docs/' } });
    const description = await api.get<{ openapi: string; paths: object }>('/docs/openapi.json');
    expect(description.openapi).toMatch(/^3\./);
    expect(Object.keys(description.paths)).toContain('/transactions/build');
  });

  it('has a wallet with which a newcomer pays at once', async () => {
    const { ready, api, funded } = network;
    expect(ready.wallet).toMatchObject({ name: 'dev', password: 'dev' });
    expect(await api.get('/wallets')).toEqual([{ walletName: 'dev', locked: false }]);
    const { activeAddress, addresses } = await api.get<{ activeAddress: string; addresses: readonly string[] }>(
      '/wallets/dev/addresses',
    );
    expect(activeAddress).toBe(funded[0]!.address);
    expect([...addresses].sort()).toEqual(funded.map(({ address }) => address).sort());
    const destinations = [{ address: testKeyOfGroup(2).address, amount: '1.5 COIN' }];
    const { txId } = await api.post<{ txId: string }>('/wallets/dev/transfer', { destinations });
    await confirmed(api, txId);
  });

  it('is found by the commands of operators', async () => {
    const { ready } = network;
    const port = (url: string): string => new URL(url).port;
    const places = { PORT: port(ready.baseUrl), EXPLORER_PORT: port(ready.explorerUrl!) };
    const environment = { DATA_DIR: ready.dataDir, ...places };
    expect(await succeed(['status'], environment)).toContain(`${ready.baseUrl}/health/cluster`);
    expect(await succeed(['doctor'], environment)).toContain('Nothing is wrong');
    const wrong = await runOperator(['statsu'], environment);
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('Did you mean status?')]);
  });

  it('has an explorer that shows a payment', async () => {
    const { ready, api } = network;
    const explorer = apiClient(() => ready.explorerUrl!);
    const { address } = testKeyOfGroup(3);
    const destinations = [{ address, amount: '0.25 COIN' }];
    const { txId } = await api.post<{ txId: string }>('/wallets/dev/transfer', { destinations });
    await waitFor(
      'the explorer to show the payment',
      async () => (await explorer.get<{ type: string }>(`/transactions/${txId}`)).type === 'Accepted',
    );
    const ofNode = await api.get<{ balance: string }>(`/addresses/${address}/balance`);
    expect(await explorer.get(`/addresses/${address}/balance`)).toMatchObject({ balance: ofNode.balance });
    expect(await explorer.get('/infos/sync')).toMatchObject({ synced: true, phase: 'live' });
    expect((await explorer.send('GET', '/docs/')).status).toBe(200);
    explorer.close();
  });

  it('pushes blocks where it says', async () => {
    const socket = new WebSocket(network.ready.wsUrl!);
    const message = new Promise<string>((resolve, reject) => {
      socket.once('message', (data) => resolve(String(data)));
      socket.once('error', reject);
    });
    await new Promise((resolve) => socket.once('open', resolve));
    await network.api.post('/miners/cpu-mining/mine-one-block?fromGroup=0&toGroup=0');
    expect(JSON.parse(await message)).toMatchObject({ method: 'block_notify' });
    socket.close();
  });

  it('a second process on the same folder ends and names the first', async () => {
    const { deployment, api } = network;
    const second = { DATA_DIR: deployment.dataDir, PORT: String(await freePort()) };
    await expectOneSentence(second, /in use by process \d+.*DATA_DIR/);
    const { text } = await failingStart(second);
    const holder = /process (\d+)/.exec(text)?.[1];
    expect(existsSync(`/proc/${holder}`)).toBe(true);
    expect(readFileSync(`/proc/${holder}/cmdline`, 'utf8')).toContain('localnet');
    await expectOneSentence(second, /in use by process/, '--reset');
    // The first one has not suffered.
    expect((await api.send('GET', '/infos/version')).status).toBe(200);
  });

  it('--reset starts over', async () => {
    const { api, deployment, funded, ready } = network;
    const receiver = testKeyOfGroup(3);
    await api.put('/wallets', { password: 'xy', mnemonic: ready.mnemonic, walletName: 'forgotten' });
    const sent = await transfer(api, funded[1]!, [{ address: receiver.address, attoCoinAmount: oneCoin.toString() }]);
    await confirmed(api, sent.txId);
    await api.post('/contracts/compile-contract', { code: 'Contract Forgotten() { pub fn f() -> () {} }' });
    await deployment.stop();
    const names = join(ready.dataDir, 'compiled-names.json');
    expect(readFileSync(names, 'utf8')).toContain('Forgotten');
    restarted = await deployment.start({}, '--reset');
    expect(existsSync(names)).toBe(false);
    expect(await balanceOf(api, receiver.address)).toBe(0n);
    await untilIndexed(restarted, receiver.address, 0n);
    expect(await api.get('/wallets')).toEqual([{ walletName: 'dev', locked: false }]);
    expect((await checkLedger(api)).burned).toBe(0n);
  });

  it('has its index after kill -9, and again in a folder without one', async () => {
    const { deployment } = network;
    const { address } = testKeyOfGroup(2);
    await pay(address);
    await deployment.kill9();
    restarted = await deployment.start();
    await untilIndexed(restarted, address, oneCoin);
    await pay(address);
    await deployment.stop();
    await changeIndex('DROP SCHEMA explorer CASCADE');
    restarted = await deployment.start();
    expect(restarted.services.map(({ name }) => name).at(-1)).toBe('explorer');
    await untilIndexed(restarted, address, 2n * oneCoin);
  });

  it('builds the index of a former version again, which was beside the chain', async () => {
    const { deployment } = network;
    const { address } = testKeyOfGroup(2);
    await deployment.stop();
    rmSync(join(deployment.dataDir, 'explorer'), { recursive: true });
    const former = await deployment.openDatabases();
    await former.service('explorer').script('CREATE SCHEMA explorer; CREATE TABLE explorer.blocks (id int8)');
    await former.close();
    restarted = await deployment.start();
    await untilIndexed(restarted, address, 2n * oneCoin);
    await deployment.stop();
    const databases = await deployment.openDatabases();
    const schemas = await databases
      .service('group_0')
      .query('schemas', `SELECT 1 FROM pg_namespace WHERE nspname = 'explorer'`);
    await databases.close();
    expect(schemas).toEqual([]);
    restarted = await deployment.start();
  });

  it('its explorer ends with it, and starts again after a crash', async () => {
    const { deployment } = network;
    const { address } = testKeyOfGroup(2);
    const pidOf = async (): Promise<number> => {
      const text = await (await fetch(`${restarted!.explorerUrl}/metrics`)).text();
      expect(text).toContain('process_start_time_seconds');
      const found = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .find((pid) => {
          try {
            return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(
              `INDEX_DIR=${join(deployment.dataDir, 'explorer')}\0`,
            );
          } catch {
            return false;
          }
        });
      return Number(found);
    };
    const first = await pidOf();
    process.kill(first, 'SIGKILL');
    await pay(address);
    await untilIndexed(restarted!, address, 3n * oneCoin);
    const second = await pidOf();
    expect(second).not.toBe(first);
    await deployment.kill9();
    await waitFor('the end of the explorer', () => !existsSync(`/proc/${second}`));
    restarted = await deployment.start();
    await untilIndexed(restarted, address, 3n * oneCoin);
    // Ctrl-C at a terminal: the explorer gets the signal of the terminal, and that of its starter.
    process.kill(await pidOf(), 'SIGINT');
    await deployment.stop();
    const locks = readdirSync(join(deployment.dataDir, 'explorer')).filter((name) => name.startsWith('lock-'));
    expect(locks).toEqual([]);
    restarted = await deployment.start();
  });

  it('goes on without an explorer that does not start, and says so', async () => {
    const { deployment } = network;
    const { address } = testKeyOfGroup(1);
    await deployment.stop();
    await changeIndex(`INSERT INTO explorer._prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
      VALUES ('x', 'x', '29990101000000_later', now(), 1)`);
    const started = await deployment.begin();
    await started.ready;
    await waitFor('the reason', () => started.standardError().includes('The explorer does not run'));
    expect(started.standardError()).toMatch(/^The explorer does not run, the rest goes on: /m);
    expect(started.standardError()).toContain('newer version');
    await pay(address);
    await deployment.stop();
    await changeIndex(`DELETE FROM explorer._prisma_migrations WHERE id = 'x'`);
    restarted = await deployment.start();
    await untilIndexed(restarted, address, oneCoin);
  });

  it('unlocks its wallet at each start, but not one of somebody else', async () => {
    const { api, deployment } = network;
    restarted = await deployment.restart();
    expect(restarted.wallet?.name).toBe('dev');
    expect(await api.get('/wallets')).toEqual([{ walletName: 'dev', locked: false }]);
    await api.send('DELETE', '/wallets/dev', { body: { password: 'dev' } });
    await api.post('/wallets', { walletName: 'dev', password: 'mine' });
    restarted = await deployment.restart();
    expect(restarted.wallet).toBeUndefined();
    expect(await api.get('/wallets')).toEqual([{ walletName: 'dev', locked: true }]);
  });

  it('another network has neither the wallet nor the keys', async () => {
    const { address } = testKeyOfGroup(1);
    const genesis = join(folder, 'genesis.json');
    writeFileSync(
      genesis,
      JSON.stringify({ networkId: 4, allocations: [{ address, attoCoinAmount: '10' + '0'.repeat(18) }] }),
    );
    const other = await startNetwork({ DEV_WALLET: 'true', GENESIS_FILE: genesis });
    try {
      expect(other.ready.accounts).toEqual([{ address, group: 1, balance: '10 COIN' }]);
      expect([other.ready.wallet, other.ready.mnemonic]).toEqual([undefined, undefined]);
      expect(await other.api.get('/wallets')).toEqual([]);
    } finally {
      await other.remove();
    }
  });

  it('says which variables do nothing, and what npm adds to its output', async () => {
    const settings = { PORT: '0', MINNING: 'off', npm_lifecycle_event: 'start', DEV_WALLET: 'false' };
    const started = beginEmbedded({ ...settings, WS_PORT: '0', DATA_DIR: join(folder, 'hints') });
    await started.line((line) => line.startsWith('{"baseUrl"'), 60_000);
    started.signal('SIGINT');
    expect(await started.ended).toMatchObject({ code: 0 });
    expect(started.standardError().trim().split('\n')).toEqual([
      'npm writes lines of its own before the JSON; `npm -s start -- --json` writes the JSON alone.',
      'MINNING is not a setting and is ignored; did you mean MINING?',
    ]);
    expect(JSON.parse(started.standardOutput())).toMatchObject({ networkId: 4 });
  });

  it('ports of health that somebody asks for and that are taken end the start with one sentence', async () => {
    // Beside another network they are other ones after each start.
    const taken = new URL((restarted ?? network.ready).services[1]!.url).port;
    const began = performance.now();
    const second = beginEmbedded({ PORT: '0', HEALTH_PORT: taken, DATA_DIR: `${network.ready.dataDir}-second` });
    expect(await second.ended).toMatchObject({ code: 1 });
    const said = second.standardError().trim();
    expect(said).toMatch(new RegExp(`^HEALTH_PORT must .* 127.0.0.1:${taken} is taken; choose another.*$`));
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  describe('what goes wrong is one sentence that names the remedy, within 2 seconds', () => {
    const empty = (): string => mkdtempSync(join(folder, 'data-'));

    it.each([
      ['PORT', 'http', /PORT must be a whole number/],
      ['PORT', '70000', /PORT must be a whole number/],
      ['MINING', 'fast', /MINING must be one of instant, interval, off/],
      ['WALLET_LOCK_TIMEOUT', 'soon', /WALLET_LOCK_TIMEOUT must be/],
      ['MINER_ADDRESSES', 'a,b', /MINER_ADDRESSES must be/],
      ['API_KEY', 'short', /API_KEY must be/],
      ['GENESIS_FILE', '/nowhere/genesis.json', /GENESIS_FILE/],
    ])('%s=%s', async (name, value, says) => {
      await expectOneSentence({ DATA_DIR: empty(), PORT: String(await freePort()), [name]: value }, says);
    });

    it('an option that does not exist', async () => {
      await expectOneSentence({ DATA_DIR: empty(), PORT: String(await freePort()) }, /--rest/, '--rest');
    });

    it('a busy port', async () => {
      const { port } = new URL(network.deployment.baseUrl);
      await expectOneSentence({ DATA_DIR: empty(), PORT: port }, new RegExp(`127.0.0.1:${port}.*PORT=`));
      const explorer = { EXPLORER: 'on', EXPLORER_PORT: port };
      const taken = new RegExp(`EXPLORER_PORT must be a free port.*127.0.0.1:${port}`);
      await expectOneSentence({ DATA_DIR: empty(), PORT: '0', ...explorer }, taken);
    });

    it('a folder that is not writable', async () => {
      const readOnly = empty();
      chmodSync(readOnly, 0o500);
      // Whoever may write everywhere still cannot write below a file.
      const file = join(folder, 'file');
      writeFileSync(file, '');
      const dataDir = isRoot ? join(file, 'data') : readOnly;
      const settings = { DATA_DIR: dataDir, PORT: String(await freePort()) };
      await expectOneSentence(settings, /cannot be written.*DATA_DIR/);
    });

    it('a folder that the system does not make, and says so in an odd way', async () => {
      await expectOneSentence(
        { DATA_DIR: '/proc/shardnode', PORT: String(await freePort()) },
        /cannot be written.*DATA_DIR/,
      );
    });

    it('a folder with other things in it', async () => {
      const foreign = empty();
      writeFileSync(join(foreign, 'thesis.doc'), 'do not lose me');
      const settings = { DATA_DIR: foreign, PORT: String(await freePort()) };
      await expectOneSentence(settings, /thesis\.doc.*DATA_DIR/);
      await expectOneSentence(settings, /thesis\.doc/, '--reset');
      expect(readFileSync(join(foreign, 'thesis.doc'), 'utf8')).toBe('do not lose me');
    });

    it('data of another version', async () => {
      const old = empty();
      writeFileSync(join(old, 'database.json'), JSON.stringify({ layout: 0, cluster: 16, identity: 'x' }));
      await expectOneSentence({ DATA_DIR: old, PORT: String(await freePort()) }, /layout|version/);
    });
  });
});
