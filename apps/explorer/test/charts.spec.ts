import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashArray, int2Array, int8Array } from '@shardnode/core/database';
import { readVectors } from '@shardnode/testing/vectors';
import { countHours, type CountedBlock } from '../src/index-store/hours.js';
import { transactionsOver } from '../src/index-store/index-transaction.js';
import { hashRates, transactionCounts, transactionCountsPerChain } from '../src/reads/chart-reads.js';
import { inSnapshot, type Snapshot } from '../src/database/snapshot.js';
import { openEmbedded, type TestDatabase } from './support/databases.js';

interface Rate {
  readonly timestamp: number;
  readonly value: number;
}
interface Vectors {
  hashrateCharts: {
    blocks: { timestamp: number; hashRate: string }[];
    hourly: Rate[];
    daily: Rate[];
    thenBlocks: { timestamp: number; hashRate: string }[];
    hourlyAfter: Rate[];
    dailyAfter: Rate[];
  };
  transactionCounts: {
    blocks: { timestamp: number; chainFrom: number; chainTo: number; txNumber: number }[];
    query: { fromTs: number; toTs: number };
    hourlyAllChainsNonZero: { timestamp: number; totalCountAllChains: number }[];
    dailyAllChains: { timestamp: number; totalCountAllChains: number }[];
    dailyPerChainNonZero: { timestamp: number; totalCountPerChain: { count: number }[] }[];
  };
}
const vectors = readVectors<Vectors & Record<string, unknown>>('explorer-examples.json');

const groups = 4;
const week = 7 * 86_400_000;

describe('charts', () => {
  let test: TestDatabase;
  const read = <T>(run: (snapshot: Snapshot) => Promise<T>): Promise<T> => inSnapshot(test.database, run, 10_000);
  const count = (blocks: readonly CountedBlock[]): Promise<void> =>
    transactionsOver(test.database)(async (transaction) => countHours(transaction, blocks, 'add'));
  const head = async (time: number): Promise<void> => {
    await test.database.query(
      'head-of-test',
      `INSERT INTO explorer.chain_heads (chain_from, chain_to, hash, height, block_timestamp, target, hashrate, tx_total, epoch, seq)
       SELECT f, t, h, 1, at, ''::bytea, 1, 1, '', 0
       FROM unnest($1::int2[], $2::int2[], $3::bytea[], $4::int8[]) AS x (f, t, h, at)`,
      [int2Array([0]), int2Array([0]), hashArray(['ab'.repeat(32)]), int8Array([BigInt(time)])],
    );
  };

  beforeAll(async () => {
    test = await openEmbedded();
  });
  beforeEach(async () => {
    await test.database.script(
      'TRUNCATE explorer.chain_heads; TRUNCATE explorer.chain_hours; TRUNCATE explorer.hashrate_hours',
    );
  });
  afterAll(() => test.close());

  it('hashrateCharts', async () => {
    const { blocks, hourly, daily, thenBlocks, hourlyAfter, dailyAfter } = vectors.hashrateCharts;
    const counted = (more: typeof blocks): CountedBlock[] =>
      more.map(({ timestamp, hashRate }) => ({
        chain: { from: 0, to: 0 },
        timestamp: BigInt(timestamp),
        txCount: 1,
        hashRate: BigInt(hashRate),
      }));
    const first = Math.min(...blocks.map(({ timestamp }) => timestamp));
    const interval = { from: BigInt(first - week), to: BigInt(first + week) };
    const valuesOf = async (type: 'hourly' | 'daily'): Promise<Rate[]> =>
      (await read((snapshot) => hashRates(snapshot, { ...interval, type }))).map(({ timestamp, value }) => ({
        timestamp: Number(timestamp),
        value: Number(value),
      }));
    await count(counted(blocks));
    expect([await valuesOf('hourly'), await valuesOf('daily')]).toEqual([hourly, daily]);
    await count(counted(thenBlocks));
    expect([await valuesOf('hourly'), await valuesOf('daily')]).toEqual([hourlyAfter, dailyAfter]);
  });

  it('transactionCounts', async () => {
    const { blocks, query, hourlyAllChainsNonZero, dailyAllChains, dailyPerChainNonZero } = vectors.transactionCounts;
    await count(
      blocks.map(({ timestamp, chainFrom, chainTo, txNumber }) => ({
        chain: { from: chainFrom, to: chainTo },
        timestamp: BigInt(timestamp),
        txCount: txNumber,
        hashRate: 1n,
      })),
    );
    await head(Math.max(...blocks.map(({ timestamp }) => timestamp)));
    const interval = { from: BigInt(query.fromTs), to: BigInt(query.toTs) };
    const hours = await read((snapshot) => transactionCounts(snapshot, { ...interval, type: 'hourly' }, groups));
    expect(hours.filter(({ totalCountAllChains }) => totalCountAllChains > 0)).toEqual(hourlyAllChainsNonZero);
    expect(await read((snapshot) => transactionCounts(snapshot, { ...interval, type: 'daily' }, groups))).toEqual(
      dailyAllChains,
    );
    const chains = await read((snapshot) =>
      transactionCountsPerChain(snapshot, { ...interval, type: 'daily' }, groups),
    );
    const nonZero = (chains as unknown as typeof dailyPerChainNonZero).map(({ timestamp, totalCountPerChain }) => ({
      timestamp,
      totalCountPerChain: totalCountPerChain.filter((chain) => chain.count > 0),
    }));
    expect(nonZero).toEqual(dailyPerChainNonZero);
  });

  it('answers any interval that the API lets through', async () => {
    const largest = 2n ** 63n - 1n;
    for (const type of ['hourly', 'daily', 'weekly'] as const) {
      const interval = { from: largest - 86_400_000n, to: largest, type };
      expect(await read((snapshot) => hashRates(snapshot, interval))).toEqual([]);
      expect(await read((snapshot) => transactionCounts(snapshot, interval, groups))).toEqual([]);
    }
  });
});
