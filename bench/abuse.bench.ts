/** How long another client waits while one abuses the network, for each attack by itself and all at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { developmentKeys } from '@shardnode/testing/keys';
import { startAbusiveClient } from '../e2e/kit/abuse/abusive-client.js';
import { call } from './http-client.js';
import { startNetwork, type NetworkProcess } from './network-process.js';
import { isShort, printRows, type Row, seconds } from './rows.js';
import { temporaryFolder } from './temporary-folder.js';

const attacks = ['flood', 'slow', 'large bodies', 'long lists', 'deep nesting', 'deep pages'];
/** Requests a minute from one address. */
const rateLimit = 9_000;
/** The minute of the limit that an attack begins in is not that of the one before. */
const minute = 60_000;
const funded = await developmentKeys();

interface Waits {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Resident memory at most, in megabytes. */
  readonly memory: number;
}

const waitsOf = (times: number[], memory: number): Waits => {
  times.sort((a, b) => a - b);
  const at = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), longest: at(1), memory };
};

/** Four clients that look at balances and the version, 100 requests a second together. */
const work = async (network: NetworkProcess, isOver: () => boolean): Promise<Waits> => {
  const times: number[] = [];
  let memory = network.memory();
  const look = async (index: number): Promise<void> => {
    const paths = [`/addresses/${funded[index]!.address}/balance`, '/infos/version'];
    for (let count = 0; !isOver(); count++) {
      const began = performance.now();
      await call(network.baseUrl, 'GET', paths[count % paths.length]!);
      times.push(performance.now() - began);
      memory = Math.max(memory, network.memory());
      await sleep(40);
    }
  };
  await Promise.all(funded.map((_key, index) => look(index)));
  return waitsOf(times, memory);
};

const alone = (network: NetworkProcess, length: number): Promise<Waits> => {
  const endsAt = performance.now() + length * 1_000;
  return work(network, () => performance.now() > endsAt);
};

const beside = async (network: NetworkProcess, chosen: readonly string[], length: number): Promise<Waits> => {
  let isOver = false;
  const { report } = startAbusiveClient(network.baseUrl, length, chosen);
  const working = work(network, () => isOver);
  const told = await report.finally(() => (isOver = true));
  if (process.env['SHOW_LOG'] === '1') console.error(JSON.stringify(told));
  return working;
};

const folder = temporaryFolder();
const network = await startNetwork(folder.path, { RATE_LIMIT: String(rateLimit), REQUEST_TIMEOUT: '9' });
try {
  await alone(network, seconds);
  const normal = await alone(network, seconds * 2);
  const rowOf = (row: string, { p50, p99, longest, memory }: Waits, bar?: number): Row => ({
    row,
    figure: `${p99.toFixed(1)} ms`,
    ...(bar === undefined ? {} : { bar: `${bar.toFixed(1)} ms` }),
    beside: `median ${p50.toFixed(1)} ms, longest ${longest.toFixed(0)} ms, memory ${(memory - normal.memory).toFixed(0)} MB more`,
  });
  const rows = [rowOf('another client alone, p99', normal)];
  for (const chosen of isShort ? [attacks] : [...attacks.map((attack) => [attack]), attacks]) {
    const name = chosen.length === 1 ? chosen[0] : 'all at once';
    if (chosen.length > 1 && !isShort) await sleep(minute - (Date.now() % minute));
    rows.push(rowOf(`beside ${name}, p99`, await beside(network, chosen, seconds * 2), normal.p99 * 2));
  }
  printRows(rows);
} finally {
  await network.stop();
  folder.remove();
}
process.exit();
