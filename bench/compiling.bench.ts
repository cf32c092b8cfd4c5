/**
 * Compiling over HTTP, embedded: the first source with the start of its thread, the next ones, and what reads of another
 * client notice of one that compiles without pause.
 */
import { request } from 'node:http';
import { median } from '@shardnode/testing/statistics';
import { call } from './http-client.js';
import { startNetwork } from './network-process.js';
import { printRows, seconds } from './rows.js';
import { fundedKeys } from './senders.js';
import { temporaryFolder } from './temporary-folder.js';

const functions = Array.from(
  { length: 40 },
  (_, i) => `  pub fn f${i}(a: U256, b: U256) -> U256 {
    let mut sum = a
    for (let mut k = 0; k < b; k = k + 1) { sum = sum + a * k }
    return sum
  }`,
).join('\n');
/** Some 6 kB. */
const source = `Contract Sums() {\n${functions}\n}\n`;

const timed = async (task: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await task();
  return performance.now() - began;
};

/** Milliseconds of each read, one after the other, for a part of the time of a measurement. */
const reads = async (baseUrl: string, part: number): Promise<number[]> => {
  const path = `/addresses/${fundedKeys[0]!.address}/balance`;
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000 * part;
  while (performance.now() < end) times.push(await timed(() => call(baseUrl, 'GET', path)));
  return times;
};

/** As a client of another address, so that it has a share of its own. */
const compileElsewhere = (baseUrl: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const options = { method: 'POST', localAddress: '127.0.0.2', headers, agent: false };
    const sent = request(`${baseUrl}/contracts/compile-contract`, options, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`))));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ code: source }));
  });

const rounds = 6;

/** Alternating, because the machine is not the same from one second to the next. */
const besideCompiler = async (baseUrl: string) => {
  const alone: number[] = [];
  const beside: number[] = [];
  let compiled = 0;
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await reads(baseUrl, 1 / rounds)));
    let isOver = false;
    const compiling = (async () => {
      for (; !isOver; compiled++) await compileElsewhere(baseUrl);
    })();
    beside.push(...(await reads(baseUrl, 1 / rounds)));
    isOver = true;
    await compiling;
  }
  return { alone: median(alone), beside: median(beside), compiled };
};

const folder = temporaryFolder();
const network = await startNetwork(folder.path);
try {
  const { baseUrl } = network;
  const compile = () => call(baseUrl, 'POST', '/contracts/compile-contract', { code: source });
  const first = await timed(compile);
  const next: number[] = [];
  for (let i = 0; i < 20; i++) next.push(await timed(compile));
  await reads(baseUrl, 1);
  const { alone, beside, compiled } = await besideCompiler(baseUrl);
  printRows([
    { row: 'first source, with the start of its thread', figure: `${first.toFixed(0)} ms`, bar: '150 ms' },
    { row: 'a source of 40 functions, median', figure: `${median(next).toFixed(1)} ms` },
    {
      row: 'read beside one client that compiles without pause',
      figure: `${(beside / alone).toFixed(2)} times`,
      bar: '1.2 times',
      beside: `median ${beside.toFixed(2)} ms, alone ${alone.toFixed(2)} ms; ${compiled} sources`,
    },
  ]);
} finally {
  await network.stop();
  folder.remove();
}
process.exit();
