import { int8Array, textArray } from '@shardnode/core/database';
import { plainDecimal } from '@shardnode/protocol/primitives';
import { firstTxIdAt } from '../blocks/row-ids.js';
import { type Page } from '../database/page.js';
import { type Snapshot } from '../database/snapshot.js';

/** The coins at an instant, in attoCoin (protocol 08 §5.9). */
export interface Supply {
  /** Milliseconds since 1970. */
  readonly at: bigint;
  /** All unspent outputs. */
  readonly total: bigint;
  /** Neither reserved nor locked. */
  readonly circulating: bigint;
  /** Of reserved addresses. */
  readonly reserved: bigint;
  /** Locked then, of other addresses. */
  readonly locked: bigint;
}

interface SupplyRow {
  readonly at: bigint;
  readonly total: string;
  readonly circulating: string;
  readonly reserved: string;
  readonly locked: string;
}

const supplyOf = ({ at, total, circulating, reserved, locked }: SupplyRow): Supply => ({
  at,
  total: BigInt(total),
  circulating: BigInt(circulating),
  reserved: BigInt(reserved),
  locked: BigInt(locked),
});

/** Stored rows, newest first. */
export const supplyDays = async (
  { schema, query }: Snapshot,
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
): Promise<Supply[]> => {
  const rows = await query<SupplyRow>(
    'supply-days',
    `SELECT at, total::text AS total, circulating::text AS circulating, reserved::text AS reserved, locked::text AS locked
     FROM ${schema}.supply_days ORDER BY at DESC LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  return rows.map(supplyOf);
};

/** The newest stored row. */
export const newestSupply = async (snapshot: Snapshot): Promise<Supply | undefined> =>
  (await supplyDays(snapshot, { limit: 1, offset: 0 }))[0];

/** attoCoin as a text in coins. */
export const supplyText = (amount: bigint): string => plainDecimal(amount);

/** Coins that outputs added or inputs took after one instant, up to the next. */
interface Flow {
  readonly total: bigint;
  readonly reserved: bigint;
}
const noFlow: Flow = { total: 0n, reserved: 0n };

/**
 * The supply at some instants, in order, from the one before them. All blocks up to the last instant are applied.
 * @param reserved addresses
 */
export const supplyAt = async (
  { schema, query }: Snapshot,
  before: Supply | undefined,
  instants: readonly bigint[],
  reserved: readonly string[],
): Promise<Supply[]> => {
  const last = instants.at(-1);
  if (last === undefined) return [];
  const starts = [before === undefined ? 0n : before.at + 1n, ...instants.slice(0, -1).map((at) => at + 1n)];
  const range = [firstTxIdAt(starts[0]!), firstTxIdAt(last + 1n), int8Array(starts), textArray(reserved)];
  const held = (parameter: string): string =>
    `WITH held AS MATERIALIZED (SELECT address_id FROM ${schema}.addresses WHERE address = ANY(${parameter}::text[]))`;
  /** Sums between the instants; `when`: the column that says when an output came or went. */
  const flows = async (name: string, when: string, rowsOf: string): Promise<ReadonlyMap<number, Flow>> => {
    const rows = await query<{ place: number; total: string; reserved: string }>(
      name,
      `${held('$4')} SELECT width_bucket(${when} >> 21, $3::int8[]) AS place, sum(o.amount)::text AS total,
         coalesce(sum(o.amount) FILTER (WHERE o.address_id IN (SELECT address_id FROM held)), 0)::text AS reserved
       FROM ${rowsOf} AND ${when} >= $1 AND ${when} < $2 GROUP BY 1`,
      range,
    );
    return new Map(rows.map((row) => [row.place, { total: BigInt(row.total), reserved: BigInt(row.reserved) }]));
  };
  // An output whose spender has the smaller id never counts.
  const created = await flows(
    'supply-created',
    'o.tx_id',
    `${schema}.outputs o WHERE (o.spent_by IS NULL OR o.spent_by > o.tx_id)`,
  );
  const spent = await flows(
    'supply-spent',
    'i.tx_id',
    `${schema}.inputs i JOIN ${schema}.outputs o ON o.tx_id = i.ref_tx_id AND o.output_order = i.ref_output_order
     WHERE NOT i.conflict AND i.tx_id > o.tx_id`,
  );
  const locked = await query<{ at: bigint; locked: string }>(
    'supply-locked',
    `${held('$2')} SELECT at, (SELECT coalesce(sum(o.amount), 0)::text FROM ${schema}.outputs o
       WHERE o.lock_time > at AND o.tx_id < (at + 1) << 21
         AND (o.spent_by IS NULL OR o.spent_by >= (at + 1) << 21) AND o.address_id NOT IN (SELECT address_id FROM held)) AS locked
     FROM unnest($1::int8[]) AS at`,
    [int8Array(instants), textArray(reserved)],
  );
  const lockedAt = new Map(locked.map((row) => [row.at, BigInt(row.locked)]));
  let { total, reserved: ofReserved } = before ?? { total: 0n, reserved: 0n };
  return instants.map((at, i) => {
    const [added, taken] = [created.get(i + 1) ?? noFlow, spent.get(i + 1) ?? noFlow];
    total += added.total - taken.total;
    ofReserved += added.reserved - taken.reserved;
    const lockedNow = lockedAt.get(at) ?? 0n;
    return { at, total, circulating: total - ofReserved - lockedNow, reserved: ofReserved, locked: lockedNow };
  });
};

/** Transactions whose outputs an answer adds up. */
const mostAdded = 200_000;

/**
 * The supply at the newest block, from the newest counted day on. Where more transactions came since than an answer adds up:
 * of that day; undefined while there is none.
 * @param reserved addresses
 */
export const supplyNow = async (snapshot: Snapshot, reserved: readonly string[]): Promise<Supply | undefined> => {
  const counted = await newestSupply(snapshot);
  const { schema, query } = snapshot;
  const [since] = await query<{ newest: bigint | null; transactions: number }>(
    'transactions-since-supply',
    `SELECT (SELECT max(block_timestamp) FROM ${schema}.chain_heads) AS newest, (SELECT count(*)::int FROM
       (SELECT FROM ${schema}.transactions WHERE tx_id >= $1 ORDER BY tx_id LIMIT $2) AS t) AS transactions`,
    [firstTxIdAt(counted === undefined ? 0n : counted.at + 1n), mostAdded + 1],
  );
  const { newest, transactions } = since!;
  if (newest === null || transactions > mostAdded || newest <= (counted?.at ?? 0n)) return counted;
  return (await supplyAt(snapshot, counted, [newest], reserved))[0];
};
