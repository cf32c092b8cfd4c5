import { hashArray, int8Array, textArray } from '@shardnode/core/database';
import { maxCoinValue } from '@shardnode/protocol/primitives';
import { inSnapshot, type Snapshot } from '../database/snapshot.js';
import { newestSupply, type Supply, supplyAt } from '../reads/supply-reads.js';
import { type BackgroundJob, type JobContext } from '../background/background-job.js';
import { supplyInstants } from './supply-days.js';

/** Rows of one database transaction. */
const batch = 366;
/** Milliseconds for one statement. */
const patience = 600_000;

/** Rows to store, and what must still hold then. */
interface Computed {
  readonly rows: readonly Supply[];
  readonly before: Supply | undefined;
  /** Heads of all chains: the rows stay valid while these blocks are applied. */
  readonly heads: readonly Buffer[];
}

const compute = async (
  snapshot: Snapshot,
  groups: number,
  reserved: readonly string[],
): Promise<Computed | undefined> => {
  const heads = await snapshot.query<{ hash: Buffer; block_timestamp: bigint }>(
    'heads-for-supply',
    `SELECT hash, block_timestamp FROM ${snapshot.schema}.chain_heads ORDER BY block_timestamp`,
  );
  if (heads.length < groups * groups) return undefined;
  const before = await newestSupply(snapshot);
  const instants = supplyInstants(before?.at, heads[0]!.block_timestamp, batch);
  if (instants.length === 0) return undefined;
  return { rows: await supplyAt(snapshot, before, instants, reserved), before, heads: heads.map(({ hash }) => hash) };
};

const isPossible = ({ total, circulating, reserved, locked }: Supply): boolean =>
  [circulating, reserved, locked].every((part) => part >= 0n) && total <= maxCoinValue;

/** Stores the rows, unless a reorganisation has changed what they count. */
const store = ({ rows, before, heads }: Computed, { writing }: JobContext): Promise<boolean> =>
  writing((database) =>
    database.transaction(async ({ query }) => {
      const { schema } = database;
      const [now] = await query<{ applied: bigint; newest: bigint | null }>(
        'supply-holds',
        `SELECT (SELECT count(*) FROM ${schema}.blocks WHERE main_chain AND hash = ANY($1::bytea[])) AS applied,
           (SELECT max(at) FROM ${schema}.supply_days) AS newest`,
        [hashArray(heads.map((hash) => hash.toString('hex')))],
      );
      if (now!.applied !== BigInt(heads.length) || (now!.newest ?? undefined) !== before?.at) return false;
      const column = (name: 'total' | 'circulating' | 'reserved' | 'locked'): Buffer =>
        textArray(rows.map((row) => row[name].toString()));
      await query(
        'insert-supply-days',
        `INSERT INTO ${schema}.supply_days (at, total, circulating, reserved, locked)
         SELECT at, total::numeric, circulating::numeric, reserved::numeric, locked::numeric
         FROM unnest($1::int8[], $2::text[], $3::text[], $4::text[], $5::text[])
           AS d (at, total, circulating, reserved, locked)`,
        [
          int8Array(rows.map(({ at }) => at)),
          column('total'),
          column('circulating'),
          column('reserved'),
          column('locked'),
        ],
      );
      return true;
    }),
  );

/**
 * One row of `supply_days` for each day that all chains have passed (protocol 08 §5.9, §4.13). The undo of a block
 * deletes the rows that its chain has no longer passed.
 *
 * @param reserved addresses whose coins are not in circulation
 */
export const supplyJob = (reserved: readonly string[]): BackgroundJob => ({
  name: 'supply',
  everyMs: 600_000,
  run: async (context) => {
    const { reading, groups, logger } = context;
    for (;;) {
      const computed = await inSnapshot(reading, (snapshot) => compute(snapshot, groups, reserved), patience);
      if (!computed) return;
      const wrong = computed.rows.find((row) => !isPossible(row));
      if (wrong) return logger.error({ supply: wrong }, 'WrongSupply');
      if (!(await store(computed, context))) return;
    }
  },
});
