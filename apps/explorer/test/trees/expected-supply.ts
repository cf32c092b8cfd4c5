import { type Database } from '@shardnode/core/database';
import { systemClock } from '@shardnode/core/lifecycle';
import { supplyJob } from '../../src/index.js';
import { supplyInstants } from '../../src/jobs/supply-days.js';
import { runJob } from '../support/run-job.js';

interface SupplyRow {
  readonly at: bigint;
  readonly stored: string;
  readonly counted: string;
}

/**
 * Runs the job of the supply, and compares each stored day with a count of all outputs (protocol 08 §5.9).
 * @param reserved an address whose coins are reserved
 */
export const supplyProblems = async (database: Database, groups: number, reserved: string): Promise<string[]> => {
  await runJob(supplyJob([reserved]), { database, groups, clock: systemClock });
  const s = database.schema;
  const part = (condition: string): string => `coalesce(sum(o.amount) FILTER (WHERE ${condition}), 0)`;
  const isReserved = 'a.address = $1';
  const isLocked = 'coalesce(o.lock_time, 0) > d.at';
  const rows = await database.query<SupplyRow>(
    'supply-of-test',
    `SELECT d.at, concat_ws(' ', d.total, d.circulating, d.reserved, d.locked) AS stored, c.counted
     FROM ${s}.supply_days d CROSS JOIN LATERAL (
       SELECT concat_ws(' ', coalesce(sum(o.amount), 0), ${part(`NOT ${isReserved} AND NOT ${isLocked}`)},
         ${part(isReserved)}, ${part(`NOT ${isReserved} AND ${isLocked}`)}) AS counted
       FROM ${s}.outputs o JOIN ${s}.addresses a ON a.address_id = o.address_id
       WHERE o.tx_id >> 21 <= d.at AND (o.spent_by IS NULL OR o.spent_by >> 21 > d.at)) c ORDER BY d.at`,
    [reserved],
  );
  const [heads] = await database.query<{ oldest: bigint; chains: bigint }>(
    'heads-of-supply-test',
    `SELECT min(block_timestamp) AS oldest, count(*) AS chains FROM ${s}.chain_heads`,
  );
  const days = heads!.chains === BigInt(groups * groups) ? supplyInstants(undefined, heads!.oldest, 10_000) : [];
  if (rows.length !== days.length) return [`supply of ${rows.length} days, expected ${days.length}`];
  return rows.flatMap(({ at, stored, counted }) =>
    stored === counted ? [] : `supply at ${at}: ${stored}, expected ${counted}`,
  );
};
