/**
 * Each kind of flood by one client with 100 connections against the network of `npm start`, another client beside it.
 * BENCH_FLOODS=submits,double spends: only these sections or floods; with BENCH_SECONDS below 2 only each tenth flood of the
 * sections whose network is there at once, to see that they run. The table at the end is that of docs/security.md.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { standBy, type Experience } from './floods/bystander.js';
import { type Flood } from './floods/flood.js';
import { bystanders, type FloodedNetwork, startFloodedNetwork } from './floods/flooded-network.js';
import { flood as floodFrom, type FloodReport } from './floods/flooding-client.js';
import { bars, floodTable, type Memory, missesOf, type Outcome, progressOf } from './floods/judgement.js';
import { floodSections } from './floods/sections.js';
import { isShort, seconds } from './rows.js';

const chosen = process.env['BENCH_FLOODS']?.split(',').map((name) => name.trim());
/** The settings of the network beside those of its section: RATE_LIMIT=9000. */
const moreSettings = Object.fromEntries(
  (process.env['BENCH_SETTINGS'] ?? '')
    .split(',')
    .flatMap((text) => (text === '' ? [] : [text.split('=') as [string, string]])),
);
const connections = 100;
/** Seconds until memory must be back. */
const patience = isShort ? 5 : 60;
const warmUpSeconds = isShort ? 1 : 5;
const isSample = isShort && !chosen;
/** Of so many floods of a section one is measured. */
const oneOf = isSample ? 10 : 1;
/** Sections of a sample: the others make thousands of outputs first. */
const sampled: readonly string[] = ['endpoints', 'submits', 'connections'];

const aloneFor = (network: FloodedNetwork, length: number): Promise<Experience> => {
  const endsAt = performance.now() + length * 1_000;
  return standBy(network.baseUrl, bystanders, () => performance.now() > endsAt);
};

const baseUrlOf = ({ baseUrl, otherUrls }: FloodedNetwork, { at }: Flood): string =>
  at === undefined ? baseUrl : otherUrls[at];

/** Watches memory until `isOver`; the most of it. */
const watchMemory = async (network: FloodedNetwork, isOver: () => boolean): Promise<number> => {
  let most = network.memory();
  while (!isOver()) {
    most = Math.max(most, network.memory());
    await pause(100);
  }
  return most;
};

const memoryAfter = async (network: FloodedNetwork, before: number): Promise<Pick<Memory, 'after' | 'backAfter'>> => {
  const began = performance.now();
  for (;;) {
    const after = network.memory();
    const waited = (performance.now() - began) / 1_000;
    if (after <= before + bars.back) return { after, backAfter: waited };
    if (waited > patience) return { after, backAfter: undefined };
    await pause(500);
  }
};

/** Milliseconds of a median at which the work that a flood has left behind is over. */
const quietMs = 20;

/** Waits until the network has done the work that a flood has left behind, a minute at most. */
const settle = async (network: FloodedNetwork): Promise<void> => {
  const until = performance.now() + patience * 1_000;
  while (performance.now() < until && (await aloneFor(network, 0.5)).median > quietMs) await pause(100);
};

/** Each flood has an address of its own, so that none is refused because of an earlier one. */
let floodNumber = 0;

const measure = async (network: FloodedNetwork, section: string, flood: Flood): Promise<Outcome> => {
  const requests = flood.requests(network);
  await settle(network);
  const alone = await aloneFor(network, Math.max(1, seconds / 2));
  const before = network.memory();
  floodNumber += 1;
  let isOver = false;
  const flooding: Promise<FloodReport> = floodFrom({
    baseUrl: baseUrlOf(network, flood),
    address: `127.0.1.${floodNumber}`,
    seconds,
    connections,
    behaviour: flood.behaviour ?? 'ask',
    requests,
  }).finally(() => (isOver = true));
  const [report, beside, most] = await Promise.all([
    flooding,
    standBy(network.baseUrl, bystanders, () => isOver),
    watchMemory(network, () => isOver),
  ]);
  return {
    section,
    name: flood.name,
    alone,
    beside,
    report,
    memory: { before, most, ...(await memoryAfter(network, before)) },
  };
};

const outcomes: Outcome[] = [];
const isChosen = ({ name }: { readonly name: string }): boolean => chosen?.includes(name) ?? true;
for (const section of floodSections) {
  // Names of sections spare the start of others.
  if (chosen && !isChosen(section) && chosen.every((name) => floodSections.some((other) => other.name === name)))
    continue;
  if (isSample && !sampled.includes(section.name)) continue;
  const network = await startFloodedNetwork({ ...section.settings, ...moreSettings });
  try {
    const floods = section
      .floods(network)
      .filter((flood, i) => i % oneOf === 0 && (isChosen(section) || isChosen(flood)));
    if (floods.length > 0) await aloneFor(network, warmUpSeconds);
    for (const flood of floods) {
      const outcome = await measure(network, section.name, flood);
      outcomes.push(outcome);
      console.log(progressOf(outcome));
      if (process.env['SHOW_LOG'] === '1') {
        console.log(`    ${JSON.stringify(outcome.report.samples)}`);
        for (const text of new Set(outcome.beside.failed)) console.log(`    failed: ${text}`);
      }
    }
  } finally {
    await network.remove();
  }
}
console.log(`\n${floodTable(outcomes)}\n`);
const above = outcomes.filter((outcome) => missesOf(outcome).length > 0);
console.log(`${outcomes.length} floods, ${above.length} above a bar`);
process.exit();
