/** Latency of other clients while one client abuses the network, for each attack alone and all at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { developmentKeys } from '@shardnode/testing/keys';
import { startAbusiveClient } from '../e2e/kit/abuse/abusive-client.js';
import { watchEventLoop } from './event-loop.js';
import { call } from './http-client.js';
import { startNetwork, type NetworkProcess } from './network-process.js';
import { isShort, printRows, type Row, seconds } from './rows.js';
import { temporaryFolder } from './temporary-folder.js';

const all = ['flood', 'slow', 'large bodies', 'long lists', 'deep nesting', 'deep pages'];
/** BENCH_ATTACKS=flood,slow: only these, each by itself; otherwise each by itself, then all at once. */
const chosenAttacks = process.env['BENCH_ATTACKS']?.split(',').map((name) => (name === 'all' ? all : [name]));
/** Requests a minute from one address. */
const rateLimit = 9_000;
const funded = await developmentKeys();

interface Waits {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Resident memory at most, in megabytes. */
  readonly memory: number;
  /** Event-loop delay of the server and of this process, whose own delay is not the server's fault. */
  readonly server: Delay;
  readonly ownP99: number;
}

/** Milliseconds. */
interface Delay {
  readonly p99: number;
  readonly longest: number;
}

/** Event-loop delay of the server since the last call. */
const serverDelay = async ({ baseUrl }: NetworkProcess): Promise<Delay> => {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const of = (name: string): number =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1]) * 1_000;
  return { p99: of('event_loop_delay_p99_seconds'), longest: of('event_loop_delay_max_seconds') };
};

/** Four clients that look at balances and the version, 100 requests a second together. */
const work = async (network: NetworkProcess, isOver: () => boolean): Promise<Waits> => {
  const times: number[] = [];
  let memory = network.memory();
  await serverDelay(network);
  const own = watchEventLoop();
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
  times.sort((a, b) => a - b);
  const at = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), longest: at(1), memory, server: await serverDelay(network), ownP99: own.p99() };
};

const alone = (network: NetworkProcess, length: number): Promise<Waits> => {
  const endsAt = performance.now() + length * 1_000;
  return work(network, () => performance.now() > endsAt);
};

const beside = async (
  network: NetworkProcess,
  {
    chosen,
    address,
    length,
  }: { readonly chosen: readonly string[]; readonly address: string; readonly length: number },
): Promise<Waits> => {
  let isOver = false;
  const { report } = startAbusiveClient(network.baseUrl, length, chosen, address);
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
  const rowOf = (row: string, { p50, p99, longest, memory, server, ownP99 }: Waits, bar?: number): Row => ({
    row,
    figure: `${p99.toFixed(1)} ms`,
    ...(bar === undefined ? {} : { bar: `${bar.toFixed(1)} ms` }),
    beside: [
      `median ${p50.toFixed(1)} ms, longest ${longest.toFixed(0)} ms`,
      `event loop of the server p99 ${server.p99.toFixed(1)} ms, longest ${server.longest.toFixed(0)} ms, of this client p99 ${ownP99.toFixed(1)} ms`,
      `memory ${(memory - normal.memory).toFixed(0)} MB more`,
    ].join('; '),
  });
  const rows = [rowOf('another client alone, p99', normal)];
  const sets = chosenAttacks ?? [...(isShort ? [] : all.map((attack) => [attack])), all];
  for (const [index, chosen] of sets.entries()) {
    const name = chosen.length === 1 ? chosen[0] : 'all at once';
    // Each attack has its own address, so that none is refused because of an earlier one.
    const attack = { chosen, address: `127.0.0.${index + 2}`, length: seconds * 2 };
    rows.push(rowOf(`beside ${name}, p99`, await beside(network, attack), normal.p99 * 2));
  }
  printRows(rows);
} finally {
  await network.stop();
  folder.remove();
}
process.exit();
