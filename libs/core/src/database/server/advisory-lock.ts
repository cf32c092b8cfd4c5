import { createHash } from 'node:crypto';
import type pg from 'pg';
import { holderOf, isNamed } from './session-name.js';

/** First half of our keys for advisory locks: `shrd`. Prisma's own lock has one half only. */
const lockClass = 0x73687264;

type LockPurpose = 'writer' | 'migration';

/** The second half: which lock of which schema. */
const lockKey = (purpose: LockPurpose, schema: string): number =>
  createHash('sha256').update(`${purpose} ${schema}`).digest().readInt32BE(0);

interface HolderRow {
  readonly pid: number;
  readonly name: string | null;
  readonly since: Date | null;
}

/**
 * Milliseconds: timeout of a lock statement, pause between two attempts, and timeout for the end of a terminated
 * session.
 */
const times = { answer: 3_000, pause: 100, ending: 10_000 };

const ask = <Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult<Row>> => {
  const config: pg.QueryConfig<unknown[]> & { query_timeout: number } = { text, values, query_timeout: times.answer };
  return client.query<Row>(config);
};

const tryLock = async (client: pg.ClientBase, key: number): Promise<boolean> => {
  const { rows } = await ask<{ taken: boolean }>(client, 'SELECT pg_try_advisory_lock($1, $2) AS taken', [
    lockClass,
    key,
  ]);
  return rows[0]!.taken;
};

const findHolder = async (client: pg.ClientBase, key: number): Promise<HolderRow | undefined> => {
  const { rows } = await ask<HolderRow>(
    client,
    `SELECT l.pid, a.application_name AS name, a.backend_start AS since
     FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid = $1::oid AND l.objid = $2::oid
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [String(lockClass), String(key >>> 0)],
  );
  return rows[0];
};

export interface LockRequest {
  readonly purpose: LockPurpose;
  readonly schema: string;
  /** Marks our own sessions by name: a lost one that still holds the lock is terminated. */
  readonly token: string;
  /** Milliseconds to wait for another holder: the session of a killed process lives for a moment. */
  readonly patience: number;
  /** Makes the error when another holder keeps the lock. */
  readonly refused: (holder: string, since: Date | undefined) => Error;
}

/**
 * Takes an advisory lock for the client's session. Terminates our own lost session if it still holds the lock. The
 * server releases the lock only when that session has ended, so the new holder knows that none of our other sessions is
 * active.
 */
export const takeLock = async (client: pg.ClientBase, request: LockRequest): Promise<void> => {
  const { purpose, schema, token, patience, refused } = request;
  const key = lockKey(purpose, schema);
  const started = performance.now();
  for (;;) {
    if (await tryLock(client, key)) return;
    const holder = await findHolder(client, key);
    const waited = performance.now() - started;
    if (holder && isNamed(holder.name ?? '', token)) {
      await ask(client, 'SELECT pg_terminate_backend($1)', [holder.pid]);
      if (waited > times.ending) throw new Error('connection terminated: our lost session does not end');
    } else if (holder && waited > patience) {
      throw refused(
        holder.name ? holderOf(holder.name) : `the database session ${holder.pid}`,
        holder.since ?? undefined,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, times.pause));
  }
};
