import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRunning } from '@shardnode/core/system-processes';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { apiClient, type ApiClient } from '../api-client.js';
import { describeCluster } from '../deployment-under-test.js';
import { isLong } from '../network.js';
import { checkProjections } from '../projection-check.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../transfers.js';
import { waitFor } from '../wait-for.js';
import { Cluster } from './cluster.js';
import { agreement } from './node-views.js';

describeCluster('the kit: a cluster', () => {
  let cluster: Cluster;
  let api: ApiClient;
  let funded: readonly TestKey[];
  const receiver = testKeyOfGroup(2);
  beforeAll(async () => {
    cluster = new Cluster({ secondGateway: true, emptyDatabases: true });
    await cluster.start();
    api = apiClient(() => cluster.baseUrl);
    funded = await developmentKeys();
  });
  afterAll(async () => {
    api?.close();
    await cluster?.remove();
  });

  const pay = async (from: number): Promise<void> => {
    const destinations = [{ address: receiver.address, attoCoinAmount: oneCoin.toString() }];
    const { txId } = await transfer(api, funded[from]!, destinations);
    await confirmed(api, txId, ({ toGroupConfirmations }) => toGroupConfirmations >= 1);
  };

  it('runs seven processes, each through proxies of its own', async () => {
    await pay(0);
    expect(cluster.processes.map(({ isRunning }) => isRunning)).toEqual(Array.from({ length: 7 }, () => true));
    for (const { name } of cluster.processes) {
      expect(cluster.proxy(name, 'nats').hits.connections).toBeGreaterThan(0);
      if (name.startsWith('group')) expect(cluster.proxy(name, 'postgres').hits.connections).toBeGreaterThan(0);
    }
    const second = apiClient(() => cluster.process('gateway-2').url);
    expect(await balanceOf(second, receiver.address)).toBe(oneCoin);
    second.close();
    const { blocks } = await agreement(cluster);
    expect(blocks).toBeGreaterThan(16);
  });

  it('kills, freezes and starts single processes, and tells how long they took', async () => {
    const node = cluster.process('group-node-1');
    const { pid } = node;
    await node.kill9();
    expect(isRunning(pid!)).toBe(false);
    expect((await node.health()).ready).toBe(false);
    const took = await node.start();
    expect(took).toBeGreaterThan(100);
    expect((await node.health()).ready).toBe(true);
    const frozen = cluster.process('group-node-3');
    await frozen.freeze();
    expect((await frozen.health()).ready).toBe(false);
    frozen.thaw();
    await waitFor('the thawed one to be ready', async () => (await frozen.health()).ready);
    await pay(1);
    await agreement(cluster);
  });

  it('ends a process at a crash point', async () => {
    const node = cluster.process('group-node-2');
    await node.stop();
    node.begin({ CRASH_AT: 'after-headers' });
    expect(await node.ended).toMatchObject({ signal: 'SIGKILL' });
    await expect(node.ready).rejects.toThrow();
    await node.start();
  });

  // Scenarios of the operator and of catching up do it, too.
  const inFullLength = isLong ? it : undefined;
  inFullLength?.('copies and gives back a database', async () => {
    const node = cluster.process('group-node-2');
    await expect(cluster.backup('group-node-2', 'early')).rejects.toThrow('group-node-2 has to be stopped first');
    await cluster.stop();
    await cluster.backup('group-node-2', 'early');
    await cluster.start();
    await pay(2);
    await cluster.stop();
    await cluster.restore('group-node-2', 'early');
    await cluster.start();
    expect(node.isRunning).toBe(true);
    await agreement(cluster);
  });

  it('reads the projections of stopped nodes', async () => {
    await cluster.stop();
    expect(await checkProjections(cluster)).toBeGreaterThan(4);
  });

  it('leaves nothing behind', async () => {
    const pids = Object.values(cluster.servers).map(({ pid }) => pid!);
    expect(pids.every(isRunning)).toBe(true);
    await cluster.remove();
    expect(pids.some(isRunning)).toBe(false);
    expect(existsSync(cluster.dataDir)).toBe(false);
  });

  it('leaves nothing behind when the test itself is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shardnode-kit-'));
    const module = join(dirname(fileURLToPath(import.meta.url)), 'reaper-process.mjs');
    const sleeper = spawn('sleep', ['60']);
    const ended = new Promise((resolve) => sleeper.once('exit', (_, signal) => resolve(signal)));
    // Its standard input ends when whoever holds it dies, in whatever way.
    const script = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(module)}],
      { stdio: ['pipe', 'ignore', 'ignore'], detached: true }).stdin
      .write('+${sleeper.pid}\\n+${folder}\\n', () => process.kill(process.pid, 'SIGKILL'))`;
    spawn(process.execPath, ['-e', script]);
    expect(await ended).toBe('SIGKILL');
    await waitFor('the folder to be gone', () => !existsSync(folder));
  });
});
