/**
 * Cost of the explorer of `npm start` for the chain: the same senders with it and without it, in turns. `MINUTES=10` adds
 * as many minutes of the same load, `OVER=processes` takes `npm run cluster -- --servers` instead.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@shardnode/testing/statistics';
import { call } from './http-client.js';
import { type NetworkProcess, startNetwork } from './network-process.js';
import { isShort, printRows, type Row } from './rows.js';
import { coin, confirmed, countsEverywhere, fundedKeys, fundSenders, groups, pay, receivers } from './senders.js';
import { temporaryFolder } from './temporary-folder.js';

const senderCount = 32;
const payments = isShort ? 5 : 200;
const turns = isShort ? 1 : 3;
const command = process.env['OVER'] === 'processes' ? 'processes' : 'embedded';
const minutes = Number(process.env['MINUTES'] ?? 0);
const singlePayments = isShort ? 5 : 100;

interface Load {
  readonly rate: number;
  readonly failed: number;
}

/** Each sender waits for Confirmed before its next payment, `isDone` says when it has sent enough. */
const load = async (
  baseUrl: string,
  senders: Awaited<ReturnType<typeof fundSenders>>,
  isDone: (sent: number) => boolean,
): Promise<Load> => {
  let [done, failed] = [0, 0];
  const began = performance.now();
  const send = async (from: (typeof senders)[number], first: number): Promise<void> => {
    for (let i = 0; !isDone(i); i++) {
      const to = receivers[(first + i) % groups]!;
      try {
        await confirmed(baseUrl, await pay(baseUrl, from, [{ address: to.address, attoCoinAmount: coin(1) }]));
        done += 1;
      } catch {
        failed += 1;
      }
    }
  };
  await Promise.all(senders.map(send));
  return { rate: (done * 1_000) / (performance.now() - began), failed };
};

/** Milliseconds from the build to what `reached` waits for, one payment after another from group 0 to group 1. */
const oneByOne = async (
  baseUrl: string,
  reached: (baseUrl: string, txId: string) => Promise<void>,
): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < singlePayments; i++) {
    const began = performance.now();
    const payment = { address: receivers[1]!.address, attoCoinAmount: coin(1) };
    await reached(baseUrl, await pay(baseUrl, fundedKeys[0]!, [payment]));
    times.push(performance.now() - began);
    await sleep(20);
  }
  return median(times);
};

interface SyncForm {
  readonly chains: readonly { readonly height: number; readonly nodeHeight: number | null }[];
}

/** Blocks of all chains that the index lacks. */
const blocksBehind = async (explorerUrl: string): Promise<number> => {
  const { chains } = await call<SyncForm>(explorerUrl, 'GET', '/infos/sync');
  return chains.reduce((sum, { height, nodeHeight }) => sum + Math.max(0, (nodeHeight ?? 0) - height), 0);
};

/** Times that a service held the database for more than 200 ms, and the services that did. */
const longHolds = async ({ announcement }: Awaited<ReturnType<typeof startNetwork>>): Promise<number> => {
  let holds = 0;
  for (const { name, url } of announcement.services) {
    if (name === 'gateway' || name === 'explorer') continue;
    const text = await (await fetch(`${url}/metrics`)).text();
    const of = (form: RegExp): number => Number(form.exec(text)?.[1] ?? 0);
    holds +=
      of(/^database_held_seconds_count\{[^}]*\} (\d+)/m) - of(/^database_held_seconds_bucket\{le="0.2"[^}]*\} (\d+)/m);
  }
  return holds;
};

interface Measured {
  readonly startedIn: number;
  readonly idleMemory: number;
  readonly confirmedMs: number;
  readonly countsMs: number;
  readonly loads: readonly Load[];
  readonly behind: number | undefined;
  readonly longHolds: number;
  readonly minutes: readonly Load[];
}

const minutesOf = async (
  network: NetworkProcess,
  senders: Awaited<ReturnType<typeof fundSenders>>,
): Promise<Load[]> => {
  const loads: Load[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const end = performance.now() + 60_000;
    loads.push(await load(network.baseUrl, senders, () => performance.now() > end));
  }
  return loads;
};

const measure = async (explorer: 'on' | 'off', isLong: boolean): Promise<Measured> => {
  const folder = temporaryFolder();
  const network = await startNetwork(folder.path, { EXPLORER: explorer, EXPLORER_PORT: '0' }, command);
  try {
    const { baseUrl, startedIn, announcement } = network;
    const explorerUrl = announcement.services.find(({ name }) => name === 'explorer')?.url;
    await sleep(isShort ? 3_000 : 10_000);
    const idleMemory = network.memory();
    // Those of the start: each service brings its tables up to date.
    const heldBefore = await longHolds(network);
    const senders = await fundSenders(baseUrl, senderCount);
    await oneByOne(baseUrl, confirmed);
    const confirmedMs = await oneByOne(baseUrl, confirmed);
    const countsMs = await oneByOne(baseUrl, countsEverywhere);
    const loads: Load[] = [];
    for (let run = 0; run < 3; run++) loads.push(await load(baseUrl, senders, (sent) => sent >= payments));
    const inMinutes = isLong ? await minutesOf(network, senders) : [];
    await sleep(5_000);
    const behind = explorerUrl === undefined ? undefined : await blocksBehind(explorerUrl);
    const holds = (await longHolds(network)) - heldBefore;
    return { startedIn, idleMemory, confirmedMs, countsMs, loads, behind, longHolds: holds, minutes: inMinutes };
  } finally {
    await network.stop();
    folder.remove();
  }
};

const results = { on: [] as Measured[], off: [] as Measured[] };
for (let turn = 0; turn < turns; turn++)
  for (const explorer of ['off', 'on'] as const) {
    const measured = await measure(explorer, turn === turns - 1 && explorer === 'on');
    results[explorer].push(measured);
    console.error(explorer, JSON.stringify(measured));
  }

const medianOf = (of: 'on' | 'off', value: (measured: Measured) => number): number => median(results[of].map(value));
const compared = (row: string, value: (measured: Measured) => number, unit: string, bar: string): Row => {
  const [on, off] = [medianOf('on', value), medianOf('off', value)];
  return { row, figure: (on / off).toFixed(2), bar, beside: `${on.toFixed(0)} and ${off.toFixed(0)} ${unit}` };
};
const failed = (of: 'on' | 'off'): number =>
  results[of].reduce((sum, { loads }) => loads.reduce((all, load) => all + load.failed, sum), 0);
const long = results.on.at(-1)!.minutes;

printRows([
  ...[0, 1, 2].map((run) =>
    compared(
      `${senderCount} senders x ${payments}, run ${run + 1}, on against off`,
      ({ loads }) => loads[run]!.rate,
      'tx/s',
      '0.9',
    ),
  ),
  {
    row: 'failed in all of them, explorer on',
    figure: String(failed('on')),
    bar: '0',
    beside: `off: ${failed('off')}`,
  },
  compared('one sender, to Confirmed, on against off', ({ confirmedMs }) => confirmedMs, 'ms', '1.15'),
  {
    row: 'one sender, to counts 1, 1, 1, explorer on',
    figure: `${medianOf('on', ({ countsMs }) => countsMs).toFixed(1)} ms`,
    bar: '50 ms',
    beside: `off: ${medianOf('off', ({ countsMs }) => countsMs).toFixed(1)} ms`,
  },
  {
    row: 'blocks behind, 5 s after the load',
    figure: String(Math.max(...results.on.map(({ behind }) => behind ?? 0))),
    bar: '16',
  },
  {
    row: 'embedded database held for more than 200 ms after the start',
    figure: String(results.on.reduce((sum, measured) => sum + measured.longHolds, 0)),
    bar: '0',
  },
  compared('start on a fresh folder, on against off', ({ startedIn }) => startedIn, 'ms', '+200 ms'),
  compared('memory of all processes when idle', ({ idleMemory }) => idleMemory, 'MB', 'see docs'),
  ...(long.length === 0
    ? []
    : [
        {
          row: `${minutes} minutes: the last against the first`,
          figure: (long.at(-1)!.rate / long[0]!.rate).toFixed(2),
          bar: '0.9',
          beside: `${long.reduce((sum, minute) => sum + minute.failed, 0)} failed`,
        },
      ]),
]);
process.exit();
