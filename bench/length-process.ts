/**
 * A group-node in a separate process over long chains: how fast it starts, how much memory it has, how fast it takes new
 * headers, and how fast it answers reads of old blocks.
 *
 * Run as a program with a channel to its parent: node --expose-gc length-process.ts FILE, a `LengthTask` as JSON.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeHeader } from '@shardnode/protocol/block';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { oneOf, seededRandom } from '@shardnode/testing/seeded-random';
import { type GroupNode } from '../apps/group-node/src/group-node.js';
import { ChainRpc } from '../apps/group-node/src/rpc/chain.js';
import { TransactionRpc } from '../apps/group-node/src/rpc/transaction.js';
import { type LongChains, longNetwork, type OldBlock } from './long-chains.js';
import { type DatabasePlace, openAt, silentNode } from './silent-node.js';

export interface LengthTask {
  readonly place: DatabasePlace;
  readonly recentHeights: number;
  readonly reads: number;
  readonly old: LongChains['old'];
  readonly intervalFrom: number;
  /** Raw headers as hexadecimal digits. */
  readonly next: readonly string[];
}

export interface LengthFigures {
  /** Milliseconds. */
  readonly start: number;
  /** The same of the processor time of the process. */
  readonly startProcessor: number;
  /** Bytes of objects and buffers after a collection of all garbage. */
  readonly memory: number;
  /** Headers a second. */
  readonly rate: number;
  /** Milliseconds of the processor time of the process for each header. */
  readonly processor: number;
  /** Milliseconds, by the kind of read. */
  readonly p99: Readonly<Record<string, number>>;
}

/** Runs a task in a process of its own. */
export const lengthFigures = async (file: string): Promise<LengthFigures> => {
  const child = fork(fileURLToPath(import.meta.url), [file], {
    stdio: 'inherit',
    execArgv: [...process.execArgv, '--expose-gc'],
  });
  const [figures] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the process ended with code ${code}`))),
  ])) as [LengthFigures];
  await once(child, 'exit');
  return figures;
};

const memoryNow = (): number => {
  for (let i = 0; i < 3; i++) (globalThis as { gc?: () => void }).gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const importRate = async (
  { intake, settle }: GroupNode,
  headers: readonly Uint8Array[],
): Promise<Pick<LengthFigures, 'rate' | 'processor'>> => {
  const [began, processor] = [performance.now(), process.cpuUsage()];
  for (const raw of headers) {
    const { from } = decodeHeader(raw, longNetwork.groups).chainIndex;
    const outcome = await intake.accept(raw, 'header', { kind: 'announced', from });
    if (outcome.kind !== 'added') throw new Error(`a header is ${JSON.stringify(outcome)}`);
  }
  await settle();
  const { user, system } = process.cpuUsage(processor);
  return {
    rate: (1000 * headers.length) / (performance.now() - began),
    processor: (user + system) / 1000 / headers.length,
  };
};

/** Milliseconds that 99 of 100 reads do not exceed. */
const p99Of = async (count: number, read: (i: number) => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await read(i);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(count * 0.99)]!;
};

const tenMinutes = 600_000;

const readsOf = async (node: GroupNode, { old, intervalFrom, reads }: LengthTask): Promise<LengthFigures['p99']> => {
  const reader = { state: node.state, store: node.store, clock: node.clock, importer: node.importer };
  const [chains, transactions] = [new ChainRpc(reader), new TransactionRpc(reader)];
  const random = seededRandom(1);
  const block = (): OldBlock => oneOf(old, random);
  const figures: Record<string, number> = {};
  if (old.length === 0) return figures;
  figures['blocks/{hash}'] = await p99Of(reads, () => chains.block({ hash: block().hash }));
  figures['hashes'] = await p99Of(reads, () => {
    const { to, height } = block();
    return chains.hashes({ from: 0, to, height });
  });
  figures['blocks of ten minutes'] = await p99Of(reads, () => {
    const fromTs = intervalFrom + Math.floor(random() * tenMinutes);
    return chains.blocks({ fromTs, toTs: fromTs + tenMinutes }, { deadlineMs: 60_000 });
  });
  figures['status'] = await p99Of(reads, () => transactions.status({ txId: block().txId }));
  return figures;
};

const carryOut = async (task: LengthTask): Promise<LengthFigures> => {
  const opened = await openAt(task.place);
  const [began, processor] = [performance.now(), process.cpuUsage()];
  const { node, close } = await silentNode(longNetwork, opened, { recentHeights: task.recentHeights });
  const start = performance.now() - began;
  const { user, system } = process.cpuUsage(processor);
  const memory = memoryNow();
  const headers = task.next.map(hexToBytes);
  const warmUp = Math.floor(headers.length / 4);
  await importRate(node, headers.slice(0, warmUp));
  const imported = await importRate(node, headers.slice(warmUp));
  const p99 = await readsOf(node, task);
  await close();
  return { start, startProcessor: (user + system) / 1000, memory, ...imported, p99 };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.send!(await carryOut(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as LengthTask));
  process.disconnect();
}
