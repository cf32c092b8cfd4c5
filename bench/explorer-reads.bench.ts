/**
 * The API of the explorer over PostgreSQL, one process, and the live stream: times of single requests beside nobody else,
 * the rate of mixed requests, and the time from a committed block to its event at a client. The load generator has a
 * thread of its own on the same machine.
 */
import autocannon from 'autocannon';
import { type Database } from '@shardnode/core/database';
import { EventStream } from '@shardnode/testing/event-stream';
import { until } from '@shardnode/testing/waiting';
import { median, percentile } from '@shardnode/testing/statistics';
import { generateLedger, type KnownValues } from '../apps/explorer/test/plans/generated-ledger.js';
import { FedExplorer } from '../apps/explorer/test/support/fed-explorer.js';
import { Blocks } from '../apps/explorer/test/support/made-blocks.js';
import { emptyIndex } from '../apps/explorer/test/trees/run-tree.js';
import { withExplorerDatabase } from './explorer-database.js';
import { counted, isShort, printRows, type Row, seconds } from './rows.js';
import { hasServers } from './servers.js';

/** The first address is in each of them. */
const transactions = isShort ? 5_000 : 200_000;
const deepRow = isShort ? 900 : 90_000;
const streamed = isShort ? 20 : 300;
const pageSize = 100;

const load = async (url: string, paths: readonly string[], connections: number) => {
  const result = await autocannon({
    url,
    connections,
    requests: paths.map((path) => ({ method: 'GET' as const, path })),
    ...(isShort ? { amount: 200 } : { duration: seconds }),
    workers: 1,
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${paths[0]}: ${result.non2xx + result.errors} failed`);
  return result;
};

const requestsOf = async (url: string, known: KnownValues): Promise<readonly (readonly [string, string])[]> => {
  const list = `/addresses/${known['address']![0]!}/transactions`;
  const before = await fetch(`${url}${list}?limit=${pageSize}&page=${deepRow / pageSize}`);
  const cursor = before.headers.get('x-next-cursor')!;
  return [
    ['newest blocks', '/blocks?limit=20'],
    ['transaction', `/transactions/${known['transaction_hash']![0]!}`],
    [`address of ${counted(transactions, 'transactions')}, first page`, `${list}?limit=20`],
    [`the same by cursor at row ${counted(deepRow, '')}`.trim(), `${list}?limit=20&cursor=${cursor}`],
  ];
};

const readRows = async (url: string, known: KnownValues): Promise<Row[]> => {
  const requests = await requestsOf(url, known);
  const rows: Row[] = [];
  for (const [row, path] of requests) {
    const { latency, requests: rate } = await load(url, [path], 1);
    const beside = `median ${latency.p50} ms, ${counted(rate.average, '/s')} over one connection`;
    rows.push({ row, figure: `p99 ${latency.p99} ms`, bar: '20 ms', beside });
  }
  const more = [`/addresses/${known['address']![1]!}`, `/blocks/${known['block_hash']![0]!}`, '/infos/heights'];
  const { requests: rate, latency } = await load(url, [...requests.map(([, path]) => path), ...more], 16);
  rows.push({
    row: 'mixed reads, 16 connections, one process',
    figure: counted(rate.average, '/s'),
    bar: '2,000/s',
    beside: `p99 ${latency.p99} ms`,
  });
  return rows;
};

const streamRow = async (explorer: FedExplorer): Promise<Row> => {
  const blocks = new Blocks();
  await explorer.add(blocks.genesis);
  const stream = await EventStream.open(`${explorer.url}/stream?topics=blocks`);
  const [first] = blocks.take(1);
  await explorer.add([first!]);
  const { hash } = first!.block.header;
  await until('the stream is live', () => stream.of<{ hash: string }>('block').some((block) => block.hash === hash));
  const times: number[] = [];
  for (const block of blocks.take(streamed)) {
    const change = await explorer.index.apply([block]);
    const stored = performance.now();
    const came = new Promise<void>((resolve) => stream.response.once('data', () => resolve()));
    explorer.tell(change);
    await came;
    times.push(performance.now() - stored);
  }
  await until('all blocks have come', () => stream.of('block').length >= streamed);
  stream.close();
  return {
    row: 'block stored to event on /stream',
    figure: `p99 ${percentile(times, 99).toFixed(1)} ms`,
    bar: '100 ms',
    beside: `median ${median(times).toFixed(1)} ms`,
  };
};

const measure = async (database: Database): Promise<Row[]> => {
  const explorer = await FedExplorer.start(database);
  try {
    const live = await streamRow(explorer);
    await emptyIndex(database);
    return [...(await readRows(explorer.url, await generateLedger(database, transactions))), live];
  } finally {
    await explorer.stop();
  }
};

const main = async (): Promise<void> => {
  if (!hasServers(['postgres'])) return;
  await withExplorerDatabase(async (database) => printRows(await measure(database)));
};

await main();
process.exit();
