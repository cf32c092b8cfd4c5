/**
 * More senders than the network can serve at once: refusals and the waits that they name, and what readers notice of
 * them, embedded, with and without an explorer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '@shardnode/testing/statistics';
import { call, FailedCall } from './http-client.js';
import { startNetwork } from './network-process.js';
import { counted, isShort, printRows, type Row } from './rows.js';
import { coin, confirmed, fundedKeys, fundSenders, groups, pay, receivers } from './senders.js';
import { temporaryFolder } from './temporary-folder.js';

const [senderCount, transfers] = isShort ? [16, 5] : [128, 50];
/** Milliseconds between two rounds of the reader. */
const betweenReads = 50;

interface Seen {
  refused: number;
  /** Although they came back after the named wait. */
  refusedAgain: number;
  readonly waits: number[];
  readonly submits: number[];
  readonly reads: number[];
  /** Texts of reads and transfers that failed. */
  readonly failures: string[];
}

const timed = async <Result>(durations: number[], work: () => Promise<Result>): Promise<Result> => {
  const began = performance.now();
  try {
    return await work();
  } finally {
    durations.push(performance.now() - began);
  }
};

/** Sends it, and once more after the wait that a refusal names. */
const submitTwice = async (baseUrl: string, body: unknown, seen: Seen): Promise<void> => {
  const submit = () => timed(seen.submits, () => call(baseUrl, 'POST', '/transactions/submit', body));
  try {
    await submit();
  } catch (error) {
    if (!(error instanceof FailedCall) || error.retryAfterSeconds === undefined) throw error;
    seen.refused += 1;
    seen.waits.push(error.retryAfterSeconds);
    await sleep(1_000 * error.retryAfterSeconds);
    await submit().catch((again: unknown) => {
      seen.refusedAgain += 1;
      throw again;
    });
  }
};

/** A status, a balance, a block and the version, again and again until it is stopped. */
const reader = (baseUrl: string, seen: Seen, lastTxId: () => string): (() => Promise<void>) => {
  let isOver = false;
  const read = (path: string) =>
    timed(seen.reads, () => call<unknown>(baseUrl, 'GET', path)).catch((error: unknown) => {
      seen.failures.push(String(error));
    });
  const run = async (): Promise<void> => {
    for (let i = 0; !isOver; i++) {
      const chain = `fromGroup=${i % groups}&toGroup=${(i >> 2) % groups}`;
      await Promise.all([
        read(`/transactions/status?txId=${lastTxId()}`),
        read(`/addresses/${receivers[i % groups]!.address}/balance`),
        read(`/addresses/${fundedKeys[i % groups]!.address}/balance`),
        read(`/blockflow/hashes?${chain}&height=0`).then(async (found) => {
          const [hash] = (found as { readonly headers: readonly string[] } | undefined)?.headers ?? [];
          if (hash !== undefined) await read(`/blockflow/blocks/${hash}`);
        }),
        read('/infos/version'),
      ]);
      await sleep(betweenReads);
    }
  };
  const running = run();
  return () => {
    isOver = true;
    return running;
  };
};

const overloaded = async (explorer: 'on' | 'off'): Promise<Row[]> => {
  const folder = temporaryFolder();
  const network = await startNetwork(folder.path, { EXPLORER: explorer, EXPLORER_PORT: '0' });
  const { baseUrl } = network;
  const seen: Seen = { refused: 0, refusedAgain: 0, waits: [], submits: [], reads: [], failures: [] };
  try {
    const senders = await fundSenders(baseUrl, senderCount);
    let lastTxId = '00'.repeat(32);
    const stop = reader(baseUrl, seen, () => lastTxId);
    const began = performance.now();
    const send = async (number: number): Promise<void> => {
      for (let i = number; i < number + transfers; i++) {
        const payments = [{ address: receivers[i % groups]!.address, attoCoinAmount: coin(1) }];
        lastTxId = await pay(baseUrl, senders[number]!, payments, (body) => submitTwice(baseUrl, body, seen));
        await confirmed(baseUrl, lastTxId);
      }
    };
    const failed = (error: unknown): void => void seen.failures.push(String(error));
    await Promise.all(senders.map((_, number) => send(number).catch(failed)));
    const rate = (senderCount * transfers * 1_000) / (performance.now() - began);
    await stop();
    for (const text of new Set(seen.failures)) console.error(text);
    const named = `explorer ${explorer}: `;
    return [
      { row: `${named}${senderCount} senders x ${transfers}`, figure: `${rate.toFixed(0)} tx/s` },
      {
        row: `${named}refused, and again after the named wait`,
        figure: `${seen.refused}, ${seen.refusedAgain}`,
        bar: 'any, 0',
        beside: `named at most ${Math.max(0, ...seen.waits)} s`,
      },
      {
        row: `${named}reads and transfers that failed`,
        figure: `${seen.failures.length}`,
        bar: '0',
        beside: counted(seen.reads.length, 'reads'),
      },
      {
        row: `${named}submit, median and 99 %`,
        figure: `${percentile(seen.submits, 50).toFixed(0)}, ${percentile(seen.submits, 99).toFixed(0)} ms`,
      },
      {
        row: `${named}read, median and longest`,
        figure: `${percentile(seen.reads, 50).toFixed(0)}, ${Math.max(...seen.reads).toFixed(0)} ms`,
      },
    ];
  } finally {
    await network.stop();
    folder.remove();
  }
};

printRows([...(await overloaded('off')), ...(await overloaded('on'))]);
process.exit();
