import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@shardnode/core/observability';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type JobContext } from '../src/background/background-job.js';
import { clean } from '../src/jobs/clean.js';
import { openEmbedded, type TestDatabase } from './support/databases.js';

const dayMs = 86_400_000;
const clock = createStoppedClock();
const headHeight = 1_000;
let opened: TestDatabase;

/** Bytes of a hash that begins with a number. */
const hashOf = (first: number): string => `decode('${first.toString(16).padStart(2, '0')}${'00'.repeat(31)}', 'hex')`;

const addBlock = (first: number, { isMain = false, height = 1, days = 31 }) =>
  opened.database.script(`INSERT INTO explorer.blocks (hash, block_id, chain_from, chain_to, height, block_timestamp,
      main_chain, tx_count, version, nonce, target, dep_state_hash, txs_hash, deps, hashrate, body)
    VALUES (${hashOf(first)}, ${first}, 1, 2, ${height}, ${clock.now() - days * dayMs}, ${isMain}, 1, 0, '', '', '', '',
      '', 1, 'body')`);

const addPending = (first: number, hours: number) =>
  opened.database.script(`INSERT INTO explorer.pending_txs
      (hash, chain_from, chain_to, gas_amount, gas_price, last_seen, inputs, outputs)
    VALUES (${hashOf(first)}, 1, 2, 1, 1, ${clock.now() - (hours * dayMs) / 24}, '[]', '[]');
    INSERT INTO explorer.pending_tx_addresses VALUES ('address', ${hashOf(first)})`);

beforeAll(async () => {
  opened = await openEmbedded();
  await opened.database.script(`INSERT INTO explorer.chain_heads (chain_from, chain_to, hash, height, block_timestamp,
      target, hashrate, tx_total, epoch, seq)
    VALUES (1, 2, '', ${headHeight}, ${clock.now()}, '', 1, 1, '', 0)`);
});
afterAll(() => opened.close());

const run = (): Promise<void> => {
  const { database } = opened;
  const context = { writing: (work: (statements: typeof database) => unknown) => work(database), clock };
  return clean.run({ ...context, logger: silentLogger } as unknown as JobContext);
};
/** First bytes of the hashes of the rows that are left, ascending. */
const leftIn = async (table: string, condition = 'true'): Promise<number[]> => {
  const text = `SELECT hash FROM explorer.${table} WHERE ${condition} ORDER BY hash`;
  const rows = await opened.database.query<{ hash: Buffer }>(`${table} ${condition}`, text);
  return rows.map(({ hash }) => hash[0]!);
};

describe('the job that drops old data', () => {
  it('drops bodies of side blocks only that are older than 30 days and at least 200 below the head', async () => {
    await addBlock(1, {});
    await addBlock(2, { isMain: true });
    await addBlock(3, { days: 29 });
    await addBlock(4, { height: headHeight - 199 });
    await addBlock(5, { height: headHeight - 200 });
    await run();
    expect(await leftIn('blocks', 'body IS NOT NULL')).toEqual([2, 3, 4]);
    expect(await leftIn('blocks')).toEqual([1, 2, 3, 4, 5]);
  });

  it('drops pending transactions that are older than a day, with their addresses', async () => {
    await addPending(6, 25);
    await addPending(7, 23);
    await run();
    expect(await leftIn('pending_txs')).toEqual([7]);
    expect(await leftIn('pending_tx_addresses')).toEqual([7]);
  });
});
