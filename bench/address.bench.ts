/** Balance and building over HTTP for one address that owns very many unspent outputs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { median } from '@shardnode/testing/statistics';
import { call } from './http-client.js';
import { type NetworkProcess, startCluster, startNetwork } from './network-process.js';
import { besides, counted, isShort, printRows, type Row, seconds } from './rows.js';
import { hasServers } from './servers.js';
import { temporaryFolder } from './temporary-folder.js';

const outputCount = isShort ? 10_000 : 300_000;
const rich = testKeyOfGroup(0);
const receiver = testKeyOfGroup(1);
const coin = 10n ** 18n;
/** The answer is right: an output that a limit cuts off would be missing here. */
const expectedBalance = BigInt(outputCount) * coin;

const genesisFile = (path: string): string => {
  const allocations = Array.from({ length: outputCount }, () => ({
    address: rich.address,
    attoCoinAmount: coin.toString(),
  }));
  const network = { networkId: 4, numZeros: 0, blockTargetTimeMs: 10, uncleDependencyGapMs: 0, allocations };
  const file = join(path, 'genesis.json');
  writeFileSync(file, JSON.stringify(network));
  return file;
};

const timesOf = async (ask: () => Promise<unknown>, before?: () => Promise<void>): Promise<number[]> => {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    await before?.();
    const began = performance.now();
    await ask();
    times.push(performance.now() - began);
  }
  return times;
};

const rowOf = (what: string, times: readonly number[]): Row => ({
  row: `${what}, ${counted(outputCount, 'unspent outputs')}`,
  figure: `${median(times).toFixed(1)} ms`,
  bar: '20 ms',
  beside: `first ${times[0]!.toFixed(0)} ms, slowest of ${times.length}: ${Math.max(...times).toFixed(0)} ms`,
});

const askBalance = async (baseUrl: string): Promise<void> => {
  const { balance, utxoNum } = await call<{ balance: string; utxoNum: number }>(
    baseUrl,
    'GET',
    `/addresses/${rich.address}/balance`,
  );
  if (BigInt(balance) !== expectedBalance || utxoNum !== outputCount)
    throw new Error(`balance ${balance} of ${utxoNum} outputs`);
};

interface Built {
  readonly unsignedTx: string;
  readonly txId: string;
}

const build = (baseUrl: string): Promise<Built> =>
  call(baseUrl, 'POST', '/transactions/build', {
    fromPublicKey: bytesToHex(rich.publicKey),
    destinations: [{ address: receiver.address, attoCoinAmount: (10n * coin).toString() }],
  });

/** A transfer of the address, mined when this resolves; cached data of the address must be updated. */
const transfer = async (baseUrl: string): Promise<void> => {
  const { unsignedTx, txId } = await build(baseUrl);
  const signature = bytesToHex(sign(hexToBytes(txId), rich.privateKey));
  await call(baseUrl, 'POST', '/transactions/submit', { unsignedTx, signature });
};

const measure = async (network: NetworkProcess): Promise<Row[]> => {
  const { baseUrl } = network;
  const balances = await timesOf(() => askBalance(baseUrl));
  const builds = await timesOf(() => build(baseUrl));
  const moved = await timesOf(
    () => call(baseUrl, 'GET', `/addresses/${rich.address}/balance`),
    () => transfer(baseUrl),
  );
  return [
    rowOf('balance', balances),
    rowOf('build', builds),
    rowOf('balance after a transfer', moved),
    { row: 'start on such a genesis', figure: `${(network.startedIn / 1000).toFixed(1)} s` },
    { row: 'memory after that', figure: `${network.memory().toFixed(0)} MB` },
  ];
};

const measured = async (started: Promise<NetworkProcess>): Promise<Row[]> => {
  const network = await started;
  try {
    return await measure(network);
  } finally {
    await network.stop();
  }
};

const folder = temporaryFolder();
try {
  const genesis = genesisFile(folder.path);
  const rows = await measured(startNetwork(join(folder.path, 'data'), { GENESIS_FILE: genesis }));
  printRows(!isShort && hasServers() ? besides(rows, await measured(startCluster(genesis))) : rows);
} finally {
  folder.remove();
}
process.exit();
