/** Processor time of one transfer and one read in each part of a cluster: the figures of docs/scaling.md. */
import autocannon from 'autocannon';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { startCluster } from './network-process.js';
import { processorTimes } from './process-costs.js';
import { isShort, printRows, type Row, seconds } from './rows.js';
import { coin, confirmed, fundedKeys, fundSenders, manySenders, pay, receivers } from './senders.js';
import { hasServers } from './servers.js';

const from = fundedKeys[0]!;
const build = {
  fromPublicKey: bytesToHex(from.publicKey),
  destinations: [{ address: receivers[1]!.address, attoCoinAmount: coin(1) }],
};

/** Runs a number of operations, and returns the cost of one, by part and in total. */
const costOf = async (row: string, run: () => Promise<number>): Promise<Row> => {
  const before = processorTimes();
  const count = await run();
  const each = [...processorTimes()].map(([part, after]) => [part, (after - before.get(part)!) / count] as const);
  const sum = each.reduce((total, [, milliseconds]) => total + milliseconds, 0);
  const beside = each
    .filter(([, milliseconds]) => milliseconds > 0)
    .map(([part, milliseconds]) => `${part} ${milliseconds.toFixed(3)}`)
    .join(', ');
  return { row, figure: `${sum.toFixed(3)} ms`, beside: `${beside} ms` };
};

const connections = 16;

/** Each connection uses its own unused query parameter, because identical concurrent requests are merged. */
const read =
  (baseUrl: string, path: string, body?: unknown): (() => Promise<number>) =>
  async () => {
    let opened = 0;
    const { requests, non2xx, errors } = await autocannon({
      url: baseUrl,
      connections,
      ...(isShort ? { amount: 300 } : { duration: seconds }),
      setupClient: (client) => {
        const own = `${path}${path.includes('?') ? '&' : '?'}client=${opened++}`;
        client.setRequests([
          body === undefined
            ? { method: 'GET', path: own }
            : {
                method: 'POST',
                path: own,
                body: JSON.stringify(body),
                headers: { 'Content-Type': 'application/json' },
              },
        ]);
      },
    });
    if (non2xx + errors > 0) throw new Error(`${path}: ${non2xx + errors} requests failed`);
    return requests.total;
  };

const measure = async (baseUrl: string): Promise<Row[]> => {
  const senders = await fundSenders(baseUrl, 32);
  const transfers = async (): Promise<number> => {
    const began = performance.now();
    const { rate } = await manySenders(baseUrl, senders);
    return (rate * (performance.now() - began)) / 1_000;
  };
  // Warm-up: code during compilation has another cost.
  if (!isShort) await transfers();
  const txId = await pay(baseUrl, from, [{ address: receivers[1]!.address, attoCoinAmount: coin(1) }]);
  await confirmed(baseUrl, txId);
  const reads: readonly (readonly [row: string, path: string, body?: unknown])[] = [
    ['version', '/infos/version'],
    ['status', `/transactions/status?txId=${txId}`],
    ['balance', `/addresses/${from.address}/balance`],
    ['outputs of an address', `/addresses/${from.address}/utxos`],
    ['a transfer that is built', '/transactions/build', build],
  ];
  const rows = [await costOf('a transfer, built, submitted, asked for until it is Confirmed', transfers)];
  for (const [row, path, body] of reads) rows.push(await costOf(row, read(baseUrl, path, body)));
  return rows;
};

if (hasServers()) {
  const network = await startCluster();
  try {
    printRows(await measure(network.baseUrl));
  } finally {
    await network.stop();
  }
}
process.exit();
