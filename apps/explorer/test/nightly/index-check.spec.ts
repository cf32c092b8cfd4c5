import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type SchemaStatements } from '@shardnode/core/database';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger, silentLogger } from '@shardnode/core/observability';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import { type JobContext, indexCheckJob } from '../../src/index.js';
import { checks } from '../../src/index-check/checks.js';
import { lastIndexCheck, type IndexCheck } from '../../src/index-check/last-index-check.js';
import { numbersBelow } from '../../src/index-check/sample.js';
import { openEmbedded, type TestDatabase } from '../support/databases.js';
import { runJob } from '../support/run-job.js';
import { groups } from '../trees/random-tree.js';
import { runTree } from '../trees/run-tree.js';

/** A tree with conflicts, unresolved inputs and tokens. */
const seed = 3;
const steps = 8;
const fourOClock = Date.UTC(2026, 10, 26, 4);
const dayMs = 86_400_000;

const s = 'explorer';

let opened: TestDatabase;
/** Hashes that the group-nodes do not have as canonical. */
let strange: string[] = [];
/** Whether the group-nodes do not answer. */
let areAway = false;
/** What happens while the check waits for the index to follow. */
let meanwhile: () => Promise<void> = async () => undefined;
const errors: string[] = [];

/** Pauses end at once. */
const impatient = (clock: StoppedClock): Clock => ({
  now: clock.now,
  monotonic: clock.monotonic,
  after: (_milliseconds, action) => {
    void meanwhile().then(action);
    return { cancel: () => undefined };
  },
});
const stopped = createStoppedClock();
const clock = impatient(stopped);
const source = {
  isCanonical: async (hash: string) => {
    if (areAway) throw new Error('away');
    return !strange.includes(hash);
  },
} as unknown as JobContext['source'];
const logger = {
  ...silentLogger,
  info: () => undefined,
  warn: () => undefined,
  error: (_values: object, text: string) => void errors.push(text),
} as unknown as Logger;
class Undone extends Error {}
/** Runs a test in a database transaction that is undone: the index is sound again after it. */
const undoing = async (test: (index: SchemaStatements) => Promise<void>): Promise<void> => {
  const run = opened.database.transaction(async ({ query }) => {
    await test({ schema: s, query, transaction: (inner) => inner({ query }) });
    throw new Undone();
  });
  await expect(run).rejects.toThrow(Undone);
};
/** Each statement of its own has a name of its own. */
let statements = 0;
const change = (index: SchemaStatements, text: string) => index.query(`change ${++statements}`, text);

const portsOf = (database: SchemaStatements) => ({ database, groups, clock, logger, source });
const verified = async (index: SchemaStatements): Promise<IndexCheck> => {
  await runJob(indexCheckJob(), portsOf(index));
  return (await lastIndexCheck(index))!;
};
const checksThatFound = async (index: SchemaStatements): Promise<string[]> => [
  ...new Set((await verified(index)).findings.map(({ check }) => check)),
];

beforeAll(async () => {
  opened = await openEmbedded();
  expect(await runTree(opened.database, seed, steps)).toEqual([]);
});
beforeEach(() => {
  [strange, areAway, meanwhile] = [[], false, async () => undefined];
  errors.length = 0;
});
afterAll(() => opened.close());

const oneOf = (table: string, condition = 'true'): string =>
  `ctid = (SELECT ctid FROM ${s}.${table} WHERE ${condition} LIMIT 1)`;
/** What breaks the index, and the checks that must see it. */
const harms: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a head that is not the newest block',
    `UPDATE ${s}.chain_heads SET hash = '\\x00' WHERE ${oneOf('chain_heads')}`,
    ['heads'],
  ],
  [
    'a head at another time',
    `UPDATE ${s}.chain_heads SET block_timestamp = 1 WHERE ${oneOf('chain_heads')}`,
    ['heads'],
  ],
  ['a chain without a head', `DELETE FROM ${s}.chain_heads WHERE ${oneOf('chain_heads')}`, ['heads']],
  [
    'a missing block',
    `UPDATE ${s}.blocks SET main_chain = false WHERE ${oneOf('blocks', 'main_chain AND height = 1')}`,
    ['heights and parents'],
  ],
  [
    'a block with another parent',
    `UPDATE ${s}.blocks SET parent = '\\x00' WHERE ${oneOf('blocks', 'main_chain AND height = 1')}`,
    ['heights and parents'],
  ],
  [
    'another number of transactions of a chain',
    `UPDATE ${s}.chain_heads SET tx_total = tx_total + 1 WHERE ${oneOf('chain_heads')}`,
    ['numbers of blocks and transactions'],
  ],
  [
    'an hour without blocks',
    `INSERT INTO ${s}.chain_hours VALUES (3600000, 0, 0, 1, 1)`,
    ['numbers of blocks and transactions'],
  ],
  [
    'blocks of one hour in another',
    `UPDATE ${s}.chain_hours SET bucket = bucket + 86400000000 WHERE ${oneOf('chain_hours', 'bucket > 1500000000000')}`,
    ['hours of chains'],
  ],
  [
    'an hour with another hash rate',
    `UPDATE ${s}.hashrate_hours SET total = total + 1 WHERE ${oneOf('hashrate_hours')}`,
    ['hours of hash rates'],
  ],
  [
    'hash rates of an hour without blocks',
    `INSERT INTO ${s}.hashrate_hours VALUES (0, 1, 1)`,
    ['number of hash rates'],
  ],
  ['a missing transaction', `DELETE FROM ${s}.transactions WHERE ${oneOf('transactions')}`, ['transactions of blocks']],
  [
    'an unspent output that an input spends',
    `UPDATE ${s}.outputs SET spent_by = NULL WHERE ${oneOf('outputs', 'spent_by IS NOT NULL')}`,
    ['spending inputs', 'totals of addresses'],
  ],
  [
    'an output that nothing spends',
    `UPDATE ${s}.outputs SET spent_by = 1 WHERE ${oneOf('outputs', 'spent_by IS NULL')}`,
    ['spent outputs', 'totals of addresses'],
  ],
  [
    'an input that is in conflict with nothing',
    `UPDATE ${s}.inputs SET conflict = true WHERE ${oneOf('inputs', 'NOT conflict AND ref_tx_id IS NOT NULL')}`,
    ['spent outputs', 'spending inputs'],
  ],
  [
    'an input that was not resolved',
    `UPDATE ${s}.inputs SET ref_tx_id = NULL, ref_output_order = NULL
     WHERE ${oneOf('inputs', 'conflict')}`,
    ['spending inputs'],
  ],
  [
    'a transaction that is not listed for its address, and not counted',
    `WITH gone AS (DELETE FROM ${s}.address_txs WHERE ${oneOf('address_txs')} RETURNING address_id)
     UPDATE ${s}.addresses a SET tx_count = tx_count - 1 FROM gone WHERE gone.address_id = a.address_id`,
    ['transactions of addresses'],
  ],
  [
    'another balance',
    `UPDATE ${s}.addresses SET balance = balance + 1 WHERE ${oneOf('addresses')}`,
    ['totals of addresses'],
  ],
  [
    'another number of unspent outputs',
    `UPDATE ${s}.addresses SET utxo_count = utxo_count - 1 WHERE ${oneOf('addresses')}`,
    ['totals of addresses'],
  ],
  [
    'another number of transactions of an address',
    `UPDATE ${s}.addresses SET tx_count = 1000000 WHERE ${oneOf('addresses')}`,
    ['totals of addresses'],
  ],
  [
    'another balance of a token',
    `UPDATE ${s}.address_tokens SET balance = balance + 1 WHERE ${oneOf('address_tokens', 'balance > 0')}`,
    ['tokens of addresses', 'totals of tokens'],
  ],
  [
    'a token that an address holds and has not',
    `DELETE FROM ${s}.address_tokens WHERE ${oneOf('address_tokens', 'balance > 0')}`,
    ['tokens of addresses', 'totals of tokens'],
  ],
  [
    'a transaction that is not listed for an address and token',
    `DELETE FROM ${s}.address_token_txs WHERE ${oneOf('address_token_txs')}`,
    ['tokens of addresses'],
  ],
  [
    'another number of holders',
    `UPDATE ${s}.tokens SET holder_count = holder_count + 1 WHERE ${oneOf('tokens', 'tx_count > 0')}`,
    ['totals of tokens'],
  ],
  [
    'a newest transaction that is not the newest',
    `UPDATE ${s}.tokens SET last_tx_id = last_tx_id - 1 WHERE ${oneOf('tokens', 'tx_count > 0')}`,
    ['totals of tokens'],
  ],
];

describe('the check of the index', () => {
  it('finds nothing in a sound index', () =>
    undoing(async (index) => {
      stopped.setWallClock(fourOClock);
      expect(await verified(index)).toEqual({ at: fourOClock, findings: [] });
      expect(errors).toEqual([]);
    }));

  it.each(harms)('finds %s', (_what, harm, found) =>
    undoing(async (index) => {
      await change(index, harm);
      expect(await checksThatFound(index)).toEqual(expect.arrayContaining([...found]));
      expect(errors).toEqual(['IndexInconsistent']);
    }),
  );

  it('has a harm above for each of its checks', () => {
    const seen = new Set(harms.flatMap(([, , found]) => found));
    expect(checks.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
  });

  it('says what is stored and what it expects, and repairs nothing', () =>
    undoing(async (index) => {
      await change(index, `UPDATE ${s}.addresses SET utxo_count = utxo_count + 5 WHERE address_id = 1`);
      for (let turn = 0; turn < 2; turn++) {
        const [finding, ...others] = (await verified(index)).findings;
        expect(others).toEqual([]);
        expect(finding).toMatchObject({ check: 'totals of addresses', subject: 'address 1' });
        const [stored, expected] = [finding!.stored, finding!.expected].map((text) => Number(text.split(' ')[1]));
        expect(stored).toBe(expected! + 5);
      }
    }));

  it('finds a block that the group-nodes do not have, unless the index or they follow meanwhile', () =>
    undoing(async (index) => {
      const [block] = await index.query<{ hash: string }>(
        'block-of-test',
        `SELECT encode(hash, 'hex') AS hash FROM ${s}.blocks WHERE main_chain AND height = 1 LIMIT 1`,
      );
      const { hash } = block!;
      strange = [hash];
      expect((await verified(index)).findings).toMatchObject([{ check: 'blocks of the group-nodes', stored: hash }]);
      meanwhile = async () => void (strange = []);
      expect((await verified(index)).findings).toEqual([]);
      strange = [hash];
      meanwhile = async () =>
        void (await change(index, `UPDATE ${s}.blocks SET main_chain = false WHERE hash = decode('${hash}', 'hex')`));
      expect((await verified(index)).findings).toEqual([]);
    }));

  it('says nothing of blocks whose group-node does not answer', () =>
    undoing(async (index) => {
      areAway = true;
      expect((await verified(index)).findings).toEqual([]);
    }));
});

describe('the daily job', () => {
  it('is due at 04:00 UTC, once, also when the process was away then', () =>
    undoing(async (index) => {
      const job = indexCheckJob();
      const isDueAt = async (time: number, of = job): Promise<boolean> => {
        stopped.setWallClock(time);
        const { signal: stopping } = new AbortController();
        const writing: JobContext['writing'] = (work) => work(index);
        return of.isDue!({ ...portsOf(index), reading: index, writing, unshown: () => [], stopping });
      };
      // A first start waits for the hour.
      expect(await isDueAt(fourOClock - 3)).toBe(false);
      expect(await isDueAt(fourOClock - 1)).toBe(false);
      expect(await isDueAt(fourOClock)).toBe(true);
      await runJob(job, portsOf(index));
      expect(await isDueAt(fourOClock + dayMs - 1)).toBe(false);
      expect(await isDueAt(fourOClock + dayMs)).toBe(true);
      expect(await isDueAt(fourOClock + 3.5 * dayMs, indexCheckJob())).toBe(true);
    }));
});

it('a sample is everything up to its size, and different numbers of the range above it', () => {
  expect(numbersBelow(3, 3, Math.random)).toEqual([0, 1, 2]);
  expect(numbersBelow(0, 3, Math.random)).toEqual([]);
  const chosen = numbersBelow(200, 100, Math.random);
  expect(new Set(chosen).size).toBe(100);
  expect(Math.min(...chosen)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...chosen)).toBeLessThan(200);
});
