/**
 * Load limits of the HTTP interface: requests per second, latencies and processor time of each hot endpoint, embedded,
 * and over processes with one gateway and with two. The load generator shares the machine; it has a thread of its own.
 * Adds a line for the commit to docs/http-costs.md.
 */
import autocannon from 'autocannon';
import { call } from './http-client.js';
import { keepCosts } from './kept-costs.js';
import { startCluster, startNetwork } from './network-process.js';
import { processorTime } from './process-costs.js';
import { counted, isShort, printRows, type Row, seconds } from './rows.js';
import { coin, fundedKeys, fundSenders, manySenders, pay, receivers, confirmed } from './senders.js';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { hasServers } from './servers.js';
import { temporaryFolder } from './temporary-folder.js';

interface HotRequest {
  readonly name: string;
  /** Requests per second of the reference node at 32 connections, on 2 cores with the load generator. */
  readonly bar: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

const connectionCounts = isShort ? [16] : [1, 16, 32, 64];
/** Bars are those of 32 connections. */
const comparedAt = 32;

const hotRequests = async (baseUrl: string): Promise<readonly HotRequest[]> => {
  const from = fundedKeys[0]!;
  const txId = await pay(baseUrl, from, [{ address: receivers[1]!.address, attoCoinAmount: coin(1) }]);
  await confirmed(baseUrl, txId);
  const { headers } = await call<{ headers: readonly string[] }>(
    baseUrl,
    'GET',
    '/blockflow/hashes?fromGroup=0&toGroup=1&height=1',
  );
  return [
    { name: 'version', bar: 39_000, method: 'GET', path: '/infos/version' },
    { name: 'group of an address', bar: 29_000, method: 'GET', path: `/addresses/${from.address}/group` },
    { name: 'block by hash', bar: 21_000, method: 'GET', path: `/blockflow/blocks/${headers[0]!}` },
    { name: 'status', bar: 20_000, method: 'GET', path: `/transactions/status?txId=${txId}` },
    { name: 'utxos', bar: 17_000, method: 'GET', path: `/addresses/${from.address}/utxos` },
    { name: 'chain-info', bar: 16_000, method: 'GET', path: '/blockflow/chain-info?fromGroup=0&toGroup=1' },
    { name: 'balance', bar: 12_000, method: 'GET', path: `/addresses/${from.address}/balance` },
    { name: 'details', bar: 11_500, method: 'GET', path: `/transactions/details/${txId}` },
    {
      name: 'build',
      bar: 3_700,
      method: 'POST',
      path: '/transactions/build',
      body: {
        fromPublicKey: bytesToHex(from.publicKey),
        destinations: [{ address: receivers[1]!.address, attoCoinAmount: coin(1) }],
      },
    },
  ];
};

interface Load {
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the processor for a request, in all processes of the network. */
  readonly cost: number;
}

/** The load is spread over the gateways; the worst latency of them counts. */
const loadOf = async (
  baseUrls: readonly string[],
  { name, method, path, body }: HotRequest,
  connections: number,
): Promise<Load> => {
  const before = processorTime();
  const results = await Promise.all(
    baseUrls.map((baseUrl) =>
      autocannon({
        url: `${baseUrl}${path}`,
        method,
        connections: Math.max(1, Math.round(connections / baseUrls.length)),
        ...(isShort ? { amount: 300 } : { duration: seconds }),
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
        workers: 1,
      }),
    ),
  );
  const failed = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
  if (failed > 0) throw new Error(`${name}: ${failed} requests failed`);
  const sent = results.reduce((sum, { requests }) => sum + requests.total, 0);
  return {
    cost: (1_000 * (processorTime() - before)) / sent,
    rate: results.reduce((sum, { requests }) => sum + requests.average, 0),
    p50: Math.max(...results.map(({ latency }) => latency.p50)),
    p99: Math.max(...results.map(({ latency }) => latency.p99)),
  };
};

const figureOf = ({ rate, p50, p99, cost }: Load): string =>
  `${counted(rate, '/s')}, p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)} ms, ${cost.toFixed(0)} µs`;

type Figures = Map<string, string>;
type Costs = Map<string, Pick<Load, 'rate' | 'cost'>>;

const rowName = (name: string, connections: number): string => `${name}, ${connections} connections`;

/** @param costs gets those of the compared number of connections */
const readsOf = async (baseUrls: readonly string[], costs: Costs = new Map()): Promise<Figures> => {
  const figures: Figures = new Map();
  const requests = await hotRequests(baseUrls[0]!);
  for (const request of requests.filter((_, place) => !isShort || place % 3 === 2)) {
    for (const connections of connectionCounts) {
      const load = await loadOf(baseUrls, request, connections);
      figures.set(rowName(request.name, connections), figureOf(load));
      if (connections === comparedAt) costs.set(request.name, load);
    }
  }
  return figures;
};

const walletCount = isShort ? 40 : 400;

/** A transfer of each wallet, all at once; gives how many were refused. */
const allAtOnce = async (baseUrl: string): Promise<number> => {
  const wallets = await fundSenders(baseUrl, walletCount);
  const outcomes = await Promise.allSettled(
    wallets.map((from, i) =>
      pay(baseUrl, from, [{ address: receivers[i % receivers.length]!.address, attoCoinAmount: coin(1) }]),
    ),
  );
  return outcomes.filter(({ status }) => status === 'rejected').length;
};

const transfersOf = async (baseUrl: string): Promise<Figures> => {
  const senders = await fundSenders(baseUrl, 64);
  await manySenders(baseUrl, senders);
  const { rate } = await manySenders(baseUrl, senders);
  return new Map([
    ['submit to Confirmed, 64 connections', `${rate.toFixed(0)}/s`],
    [`errors of ${walletCount} parallel transfers of ${walletCount} wallets`, String(await allAtOnce(baseUrl))],
  ]);
};

const bars = async (baseUrl: string): Promise<Map<string, string>> =>
  new Map([
    ...(await hotRequests(baseUrl)).map(
      ({ name, bar }) => [rowName(name, comparedAt), `${bar.toLocaleString('en-US')} /s`] as const,
    ),
    ['submit to Confirmed, 64 connections', '300/s'] as const,
    [`errors of ${walletCount} parallel transfers of ${walletCount} wallets`, '0'] as const,
  ]);

const folder = temporaryFolder();
const embedded = await startNetwork(folder.path);
const costs: Costs = new Map();
let columns: { readonly own: Figures; readonly bar: Map<string, string> };
try {
  const bar = await bars(embedded.baseUrl);
  const reads = await readsOf([embedded.baseUrl], costs);
  columns = { own: new Map([...reads, ...(await transfersOf(embedded.baseUrl))]), bar };
} finally {
  await embedded.stop();
  folder.remove();
}

if (!isShort) await keepCosts(costs);

let [one, two]: Figures[] = [new Map(), new Map()];
if (!isShort && hasServers()) {
  const cluster = await startCluster(undefined, 2);
  try {
    one = new Map([...(await readsOf([cluster.baseUrl])), ...(await transfersOf(cluster.baseUrl))]);
    two = await readsOf(cluster.baseUrls);
  } finally {
    await cluster.stop();
  }
}

printRows(
  [...columns.own].map(([row, figure]): Row => {
    const bar = columns.bar.get(row);
    const both = two!.get(row);
    return {
      row,
      figure,
      ...(one!.size > 0 ? { cluster: one!.get(row) ?? '' } : {}),
      ...(bar === undefined ? {} : { bar }),
      ...(both === undefined ? {} : { beside: `two gateways: ${both}` }),
    };
  }),
);
process.exit();
