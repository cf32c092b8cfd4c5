/**
 * The network as seen by a client, embedded and as a cluster: start, memory, the time to Confirmed, many senders at
 * once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@shardnode/testing/statistics';
import { call } from './http-client.js';
import { startCluster, startNetwork, type NetworkProcess } from './network-process.js';
import { besides, counted, isShort, printRows, type Row, seconds } from './rows.js';
import { coin, confirmed, countsEverywhere, fundedKeys, fundSenders, groups, manySenders, pay } from './senders.js';
import { hasServers } from './servers.js';
import { temporaryFolder } from './temporary-folder.js';

const senderCount = 32;

const oneSender = async (baseUrl: string): Promise<number[]> => {
  const from = fundedKeys[0]!;
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < end; i++) {
    const began = performance.now();
    await confirmed(
      baseUrl,
      await pay(baseUrl, from, [{ address: fundedKeys[i % groups]!.address, attoCoinAmount: coin(1) }]),
    );
    times.push(performance.now() - began);
  }
  return times;
};

/** Milliseconds without a payment: nothing gathers any more. */
const idlePause = 100;

/** From the build to three counts, between two groups, while nobody else pays. */
const idlePayments = async (baseUrl: string): Promise<number[]> => {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < end; i++) {
    await sleep(idlePause);
    const [from, to] = [fundedKeys[i % groups]!, fundedKeys[(i + 1 + (i % 3)) % groups]!];
    const began = performance.now();
    await countsEverywhere(baseUrl, await pay(baseUrl, from, [{ address: to.address, attoCoinAmount: coin(1) }]));
    times.push(performance.now() - began);
  }
  return times;
};

/** Blocks of all chains above genesis. */
const blockCount = async (baseUrl: string): Promise<number> => {
  const chains = Array.from({ length: groups * groups }, (_, i) => [Math.floor(i / groups), i % groups]);
  const heights = chains.map(([from, to]) =>
    call<{ currentHeight: number }>(baseUrl, 'GET', `/blockflow/chain-info?fromGroup=${from}&toGroup=${to}`),
  );
  return (await Promise.all(heights)).reduce((sum, { currentHeight }) => sum + currentHeight, 0);
};

const measure = async (network: NetworkProcess): Promise<Row[]> => {
  const { baseUrl } = network;
  const senders = await fundSenders(baseUrl, senderCount);
  await oneSender(baseUrl);
  const times = await oneSender(baseUrl);
  const idleTimes = await idlePayments(baseUrl);
  const blocksBefore = await blockCount(baseUrl);
  const { count, rate } = await manySenders(baseUrl, senders);
  const blocks = (await blockCount(baseUrl)) - blocksBefore;
  return [
    {
      row: 'build to counts 1, 1, 1, idle network, median',
      figure: `${median(idleTimes).toFixed(1)} ms`,
      bar: '50 ms; cluster 100 ms',
    },
    {
      row: 'build to Confirmed, one sender, median',
      figure: `${median(times).toFixed(1)} ms`,
      bar: '8 ms; cluster 15 ms',
    },
    { row: `confirmed, ${senderCount} senders, mixed groups`, figure: `${rate.toFixed(0)} tx/s`, bar: '300 tx/s' },
    { row: 'blocks for each of these transfers', figure: (blocks / count).toFixed(2) },
    { row: 'memory after that', figure: `${network.memory().toFixed(0)} MB` },
  ];
};

const startRow = (what: string, { startedIn }: NetworkProcess, bar?: string): Row => ({
  row: what,
  figure: `${(startedIn / 1000).toFixed(2)} s`,
  ...(bar === undefined ? {} : { bar }),
});

/** Transactions a second of a fresh network. */
const rateWith = async (explorer: 'on' | 'off'): Promise<number> => {
  const folder = temporaryFolder();
  const network = await startNetwork(folder.path, { EXPLORER: explorer, EXPLORER_PORT: '0' });
  try {
    const senders = await fundSenders(network.baseUrl, senderCount);
    await manySenders(network.baseUrl, senders);
    return (await manySenders(network.baseUrl, senders)).rate;
  } finally {
    await network.stop();
    folder.remove();
  }
};

/** In turns, because machines change their speed. */
const explorerRow = async (): Promise<Row> => {
  const rates = { on: [] as number[], off: [] as number[] };
  for (let turn = 0; turn < (isShort ? 1 : 3); turn++)
    for (const explorer of ['off', 'on'] as const) rates[explorer].push(await rateWith(explorer));
  const [on, off] = [median(rates.on), median(rates.off)];
  return {
    row: 'the same with an explorer against one without',
    figure: (on / off).toFixed(2),
    bar: '0.9',
    beside: `${on.toFixed(0)} and ${off.toFixed(0)} tx/s`,
  };
};

const embeddedRows = async (dataDir: string): Promise<Row[]> => {
  const fresh = await startNetwork(dataDir);
  await fresh.stop();
  const later = await startNetwork(dataDir);
  await sleep(seconds * 1000);
  const idle = later.memory();
  const rows = await measure(later);
  const blocks = await blockCount(later.baseUrl);
  await later.stop();
  const last = await startNetwork(dataDir);
  await last.stop();
  return [
    startRow('start on a fresh data folder', fresh, '5 s'),
    startRow('later start', later, '2 s'),
    startRow(`later start over ${counted(blocks, 'blocks')}`, last),
    { row: 'memory when idle', figure: `${idle.toFixed(0)} MB`, bar: '450 MB' },
    ...rows,
    await explorerRow(),
  ];
};

/** The memory is that of five processes, without the servers. */
const clusterRows = async (): Promise<Row[]> => {
  const network = await startCluster();
  try {
    const idle = network.memory();
    return [{ row: 'memory when idle', figure: `${idle.toFixed(0)} MB` }, ...(await measure(network))];
  } finally {
    await network.stop();
  }
};

const folder = temporaryFolder();
try {
  const rows = await embeddedRows(folder.path);
  printRows(hasServers() ? besides(rows, await clusterRows()) : rows);
} finally {
  folder.remove();
}
process.exit();
