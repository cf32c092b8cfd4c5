import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@shardnode/core/servers';
import { processStat } from '@shardnode/core/system-processes';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { describeWithServers } from '@shardnode/testing/servers';
import { apiClient, type ApiClient } from '../kit/api-client.js';
import { type Environment, type ProcessEnd, startProcess, type StartedProcess } from '../kit/child-process.js';
import { type Ready } from '../kit/deployment.js';
import { checkLedger } from '../kit/ledger.js';
import { succeed } from '../kit/operator.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../kit/transfers.js';
import { waitFor } from '../kit/wait-for.js';

/** Of a process that is killed and started again, in its own log. */
const story = [
  'the process has ended and is started again',
  'starting',
  'the state was loaded from the database',
  'started: it takes requests',
  'caught up with the siblings',
  'ready',
];

const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

interface ClusterReady extends Ready {
  readonly explorerUrl: string;
  readonly services: readonly { readonly name: string; readonly url: string }[];
  readonly servers: readonly { readonly name: string; readonly place: string }[];
  readonly logs: string;
}

/** As a person starts it. */
const npmRunCluster = (settings: Environment, ...args: readonly string[]): StartedProcess =>
  startProcess('npm', ['run', '--silent', 'cluster', '--', '--json', ...args], settings, projectFolder);

const readyOf = async (started: StartedProcess): Promise<ClusterReady> =>
  JSON.parse(await started.line((line) => line.startsWith('{"baseUrl"'), 120_000)) as ClusterReady;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All processes of this machine that are no zombies. */
const processes = (): ProcessEntry[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const { state, parent } = processStat(name)!;
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return state === 'Z' ? [] : [{ pid: Number(name), parent, command }];
    } catch {
      return []; // it has ended meanwhile
    }
  });

const familyOf = (pid: number): ProcessEntry[] => {
  const all = processes();
  const family = all.filter((entry) => entry.pid === pid);
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member.pid));
  return family;
};

const environmentOf = (pid: number): string[] => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');

const isThere = ({ pid, command }: ProcessEntry): boolean =>
  processes().some((entry) => entry.pid === pid && entry.command === command);

const workIn = (folder: string): number[] =>
  processes()
    .map(({ pid }) => pid)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    });

describeWithServers(['postgres', 'nats', 'redis'], 'npm run cluster', () => {
  const receiver = testKeyOfGroup(3);
  let dataDir: string;
  let settings: Environment;
  let started: StartedProcess;
  let ready: ClusterReady;
  let api: ApiClient;

  const start = async (): Promise<void> => {
    started = npmRunCluster(settings, '--servers');
    ready = await readyOf(started);
  };
  /** What npm has started. */
  const command = (): ProcessEntry =>
    familyOf(started.pid).find(({ command: text }) => /^\S*node\S* apps\/localnet\/dist\/cluster/.test(text))!;
  const stop = async (
    signal: NodeJS.Signals = 'SIGINT',
  ): Promise<{ readonly end: ProcessEnd; readonly milliseconds: number }> => {
    const began = performance.now();
    // A terminal sends it to all of its group; npm waits for what it has started.
    process.kill(command().pid, signal);
    return { end: await started.ended, milliseconds: performance.now() - began };
  };
  const groupNode = (group: number): ProcessEntry =>
    familyOf(started.pid).find(
      ({ pid, command }) => command.includes('group-node/dist') && environmentOf(pid).includes(`GROUP=${group}`),
    )!;
  /** What a service has written since a moment, and how its field `name` stands in each line. */
  const logSince = (service: string, moment: string): { readonly msg: string; readonly [field: string]: unknown }[] =>
    readFileSync(join(ready.logs, `${service}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { readonly msg: string; readonly time: string })
      .filter(({ time }) => time >= moment);
  const send = async (group: number): Promise<void> => {
    const from = (await developmentKeys())[group]!;
    const sent = await transfer(api, from, [{ address: receiver.address, attoCoinAmount: oneCoin.toString() }]);
    await confirmed(api, sent.txId, ({ toGroupConfirmations }) => toGroupConfirmations > 0);
  };
  const secretOf = (name: string): string => readFileSync(join(dataDir, 'credentials', name), 'utf8').trim();
  /** The address of its own PostgreSQL for who may make databases there. */
  const adminUrl = (): string => {
    const password = secretOf('database/admin');
    const { place } = ready.servers.find(({ name }) => name === 'PostgreSQL')!;
    return `postgresql://postgres:${password}@${place}`;
  };

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'shardnode-npm-cluster-'));
    settings = { DATA_DIR: dataDir, PORT: String(await freePort()), HEALTH_PORT: '0', EXPLORER_PORT: '0' };
    await start();
    api = apiClient(() => ready.baseUrl);
  });
  afterAll(async () => {
    api?.close();
    if (started && !started.end()) await stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('says what a newcomer needs, and takes a transfer', async () => {
    expect(ready).toMatchObject({ networkId: 4, dataDir, logs: join(dataDir, 'logs') });
    expect(ready.services.map(({ name }) => name).sort()).toEqual([
      'explorer',
      'gateway',
      'group-node-0',
      'group-node-1',
      'group-node-2',
      'group-node-3',
      'wallet-service',
    ]);
    expect(ready.accounts.every(({ balance }) => balance === '1000000 COIN')).toBe(true);
    for (const { url } of ready.services) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    await api.put('/wallets', { password: 'xy', mnemonic: ready.mnemonic, walletName: 'kept' });
    await send(0);
    expect(await balanceOf(api, receiver.address)).toBe(oneCoin);
    const explorer = apiClient(() => ready.explorerUrl);
    await waitFor('the explorer to show the transfer', async () => {
      const { balance } = await explorer.get<{ balance: string }>(`/addresses/${receiver.address}/balance`);
      return balance === String(oneCoin);
    });
    explorer.close();
    // With the addresses and the password that the cluster has written down.
    const status = await succeed(['status', '--cluster', dataDir], {});
    expect(status).toMatch(/^explorer +(live|initial) +\d+ +\d+ +\d+ s ago$/m);
  });

  it('keeps the passwords where only their owner can read them, and from the other services', () => {
    const credentials = join(dataDir, 'credentials');
    expect(statSync(credentials).mode & 0o777).toBe(0o700);
    const files = readdirSync(credentials, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o077)).toEqual([]);
    const names = [
      ...[0, 1, 2, 3].flatMap((g) => [`database/shardnode_group_${g}`, `nats/group-node-${g}`]),
      ...['database/shardnode_wallet', 'database/admin', 'nats/wallet-service', 'nats/gateway', 'nats/operator'],
      ...['database/shardnode_explorer', 'database/shardnode_explorer_reader', 'nats/explorer'],
      ...['redis/gateway', 'redis/admin'],
    ];
    const secrets = Object.fromEntries(names.map((name) => [name, secretOf(name)]));
    const known = familyOf(started.pid).flatMap(({ pid, command }) => {
      const variables = environmentOf(pid).join('\n');
      return Object.keys(secrets)
        .filter((name) => variables.includes(secrets[name]!))
        .map((name) => `${/([a-z-]+)\/dist/.exec(command)?.[1]} knows ${name}`);
    });
    // A service is told in which file its own one is.
    expect(known).toEqual([]);
    const text = started.standardOutput() + started.standardError();
    expect(Object.values(secrets).filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('a group-node that is killed is started again, on its port, and catches up', async () => {
    const { url } = ready.services.find(({ name }) => name === 'group-node-1')!;
    const moment = new Date().toISOString();
    process.kill(groupNode(1).pid, 'SIGKILL');
    await waitFor('the news of it', () =>
      /group-node-1 ended by SIGKILL; it is started again/.test(started.standardError()),
    );
    await waitFor('its return', async () => (await fetch(`${url}/health/ready`)).ok, { timeoutMs: 30_000 });
    await waitFor('the network', async () => (await fetch(`${ready.baseUrl}/health/ready`)).ok);
    await send(1);
    expect(await balanceOf(api, receiver.address)).toBe(2n * oneCoin);

    // The logs tell the story to who reads them later. The last line comes after the answer.
    await waitFor('the line ready', () => logSince('group-node-1', moment).some(({ msg }) => msg === 'ready'));
    const own = logSince('group-node-1', moment);
    expect(own.map(({ msg }) => msg).filter((msg) => story.includes(msg))).toEqual(story);
    const line = (msg: string) => own.find((one) => one.msg === msg);
    expect(line('the process has ended and is started again')).toMatchObject({ how: 'by SIGKILL' });
    expect(line('starting')).toMatchObject({
      version: expect.any(String),
      settings: { GROUP: '1', NATS_USER: 'group-node-1' },
    });
    expect(line('the state was loaded from the database')).toMatchObject({ height: expect.any(Number) });
    expect(line('caught up with the siblings')).toMatchObject({ blocks: expect.any(Number) });
    for (const group of [0, 2, 3]) {
      const back = await waitFor(`group ${group} to tell that its sibling is back`, () =>
        logSince(`group-node-${group}`, moment).find(({ msg }) => msg === 'a sibling is back'),
      );
      expect(back).toMatchObject({ sibling: 1, restarted: true });
      const lost = logSince(`group-node-${group}`, moment).filter(({ msg }) => msg.startsWith('a sibling is lost'));
      // On a fast machine it is back before it is missed.
      if (Number(back['silentForMs']) > 3_500) expect(lost).toEqual([expect.objectContaining({ sibling: 1 })]);
    }
    await checkLedger(api);
  });

  it('a second one on the same databases ends and names the holder', async () => {
    const { place } = ready.servers.find(({ name }) => name === 'NATS')!;
    const second = {
      POSTGRES_URL: `${adminUrl()}/postgres`,
      NATS_URL: `nats://${place}`,
      NATS_USER: 'group-node-0',
      NATS_PASSWORD: secretOf('nats/group-node-0'),
      HEALTH_PORT: '0',
      EXPLORER_PORT: '0',
    };
    const failing = async (more: Environment, ...args: readonly string[]) => {
      const other = npmRunCluster({ ...second, PORT: String(await freePort()), ...more }, ...args);
      const { code } = await other.ended;
      return { code, text: other.standardError() };
    };
    const sameFolder = await failing({ DATA_DIR: dataDir });
    expect(sameFolder.text).toMatch(/group-node-\d, process \d+ on/);
    expect(sameFolder.code).toBe(1);
    expect(sameFolder.text).not.toMatch(/started again| {4}at /);

    const otherFolder = mkdtempSync(join(tmpdir(), 'shardnode-npm-cluster-'));
    try {
      for (const args of [[], ['--reset']]) {
        const { code, text } = await failing({ DATA_DIR: otherFolder }, ...args);
        expect(text).toMatch(/shardnode_group_0 is in use by group-node-0, process \d+ on .* of another cluster/);
        expect(code).toBe(1);
      }
    } finally {
      rmSync(otherFolder, { recursive: true, force: true });
    }

    const ownServers = await failing({ DATA_DIR: dataDir }, '--servers');
    expect(ownServers.text).toMatch(/in use by process \d+/);
    expect(ownServers.code).toBe(1);
    // The first one has not suffered.
    await send(2);
  });

  it('stops in order within 15 s and leaves no process behind', async () => {
    const family = familyOf(started.pid);
    expect(family.length).toBeGreaterThanOrEqual(10);
    const { end, milliseconds } = await stop();
    expect(end).toEqual({ code: 0, signal: null });
    expect(milliseconds).toBeLessThan(15_000);
    expect(family.filter(isThere)).toEqual([]);
    expect(workIn(dataDir)).toEqual([]);
  });

  it('goes on with the same chain and wallets, also after the whole command was killed', async () => {
    await start();
    expect(await balanceOf(api, receiver.address)).toBe(3n * oneCoin);
    const family = familyOf(started.pid);
    process.kill(command().pid, 'SIGKILL');
    await started.ended;
    const services = family.filter(({ command: text }) =>
      /(explorer|group-node|gateway|wallet-service)\/dist/.test(text),
    );
    expect(services).toHaveLength(7);
    await waitFor('the services to end with who started them', () => services.filter(isThere).length === 0);
    await start();
    expect(await api.get('/wallets')).toEqual([{ walletName: 'kept', locked: true }]);
    await send(3);
    expect(await balanceOf(api, receiver.address)).toBe(4n * oneCoin);
    await checkLedger(api);
    // As when the terminal is closed.
    expect((await stop('SIGHUP')).end).toEqual({ code: 0, signal: null });
    expect(workIn(dataDir)).toEqual([]);
  });

  it('--reset starts over', async () => {
    started = npmRunCluster(settings, '--servers', '--reset');
    ready = await readyOf(started);
    expect(started.standardError()).toMatch(/Dropping the databases .*shardnode_wallet.* the wallets are deleted/);
    expect(await balanceOf(api, receiver.address)).toBe(0n);
    expect(await api.get('/wallets')).toEqual([]);
  });
});

describe('npm run cluster without servers', () => {
  it('names all of them at once with the commands that start them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shardnode-npm-cluster-'));
    const [postgres, nats, redis] = [await freePort(), await freePort(), await freePort()];
    const started = npmRunCluster({
      DATA_DIR: folder,
      PORT: String(await freePort()),
      HEALTH_PORT: '0',
      EXPLORER: 'off',
      POSTGRES_URL: `postgresql://someone:very-secret@127.0.0.1:${postgres}/postgres`,
      NATS_URL: `nats://127.0.0.1:${nats}`,
      REDIS_URL: `redis://:very-secret@127.0.0.1:${redis}`,
    });
    const { code } = await started.ended;
    const text = started.standardError();
    rmSync(folder, { recursive: true, force: true });
    expect(code).toBe(1);
    for (const port of [postgres, nats, redis]) expect(text).toContain(`127.0.0.1:${port}`);
    for (const name of ['POSTGRES_URL', 'NATS_URL', 'REDIS_URL', 'CREATE ROLE shardnode', '--servers']) {
      expect(text).toContain(name);
    }
    expect(text).not.toMatch(/very-secret| {4}at /);
  });
});
