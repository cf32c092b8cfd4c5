import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres, type ServerProcess } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { FaultProxy, requireHit } from './fault-proxy.js';
import { isCommit } from './postgres-taps.js';

describe('what commits', () => {
  it.each([
    ['COMMIT', true, true],
    ['COMMIT', false, true],
    ['BEGIN', false, false],
    ['SELECT 1', false, false],
    ['SELECT count(*) FROM t', false, false],
    ['SELECT group_0.write_headers($1)', false, true],
    ['SELECT group_0.write_headers($1)', true, false],
    ['INSERT INTO t VALUES (1)', false, true],
    ['INSERT INTO t VALUES (1)', true, false],
  ])('%s (in a transaction: %s): %s', (text, inTransaction, commits) => {
    expect(isCommit({ text, inTransaction })).toBe(commits);
  });
});

describeWithServers(['postgres'], 'a fault proxy before PostgreSQL', () => {
  let folder: string;
  let postgres: ServerProcess;
  let proxy: FaultProxy;
  let direct: pg.Client;
  let through: pg.Client;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-kit-'));
    postgres = await startPostgres({ folder: join(folder, 'postgres'), settings: { fsync: 'off' } });
    proxy = await FaultProxy.open('test to postgres', postgres.port, 'postgres');
    direct = new pg.Client({ connectionString: postgres.url });
    await direct.connect();
    await direct.query(`CREATE TABLE t (n int UNIQUE);
      CREATE SCHEMA s; CREATE FUNCTION s.write_n(n int) RETURNS void LANGUAGE sql AS 'INSERT INTO public.t VALUES (n)'`);
  });
  beforeEach(async () => {
    await direct.query('DELETE FROM t');
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    through = new pg.Client({ connectionString: url.toString() });
    through.on('error', () => undefined);
    await through.connect();
  });
  afterEach(async () => {
    await proxy.heal();
    await through.end().catch(() => undefined);
  });
  afterAll(async () => {
    await direct?.end();
    await proxy?.close();
    await postgres?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const stored = async (): Promise<number[]> =>
    (await direct.query<{ n: number }>('SELECT n FROM t ORDER BY n')).rows.map(({ n }) => n);
  const transaction = async (n: number): Promise<void> => {
    await through.query('BEGIN');
    await through.query({ name: 'insert', text: 'INSERT INTO t VALUES ($1)', values: [n] });
    await through.query('COMMIT');
  };
  const call = (n: number): Promise<unknown> =>
    through.query({ name: 'call', text: 'SELECT s.write_n($1)', values: [n] });

  it('passes statements and large values', async () => {
    await transaction(1);
    await call(2);
    const { rows } = await through.query<{ n: number }>('SELECT length($1::text) AS n', ['x'.repeat(3_000_000)]);
    expect(rows).toEqual([{ n: 3_000_000 }]);
    expect(await stored()).toEqual([1, 2]);
    expect(proxy.hits).toMatchObject({ cutBefore: 0, cutAfter: 0 });
  });

  it.each([
    ['before', 'COMMIT', transaction, []],
    ['after', 'COMMIT', transaction, [1]],
    ['before', 'a call', call, []],
    ['after', 'a call', call, [1]],
  ] as const)('cuts %s the end of %s', async (side, _, write, expected) => {
    proxy.cutAtCommit(side);
    await expect(write(1)).rejects.toThrow(/terminated|ECONNRESET/);
    expect(await stored()).toEqual(expected);
    requireHit(proxy, side === 'before' ? 'cutBefore' : 'cutAfter');
  });

  it('cuts a call that was prepared before', async () => {
    await call(1);
    proxy.cutAtCommit('after');
    await expect(call(2)).rejects.toThrow(/terminated|ECONNRESET/);
    expect(await stored()).toEqual([1, 2]);
  });

  it('cuts at the k-th statement of a kind', async () => {
    proxy.cutAtStatement({ side: 'after', matching: ({ text }) => text.startsWith('INSERT'), nth: 2 });
    await transaction(1);
    await expect(transaction(2)).rejects.toThrow(/terminated|ECONNRESET/);
    expect(await stored()).toEqual([1]);
    expect(proxy.hits.cutAfter).toBeGreaterThan(0);
  });

  it('a write that fails is told, and counts as no hit', async () => {
    await call(1);
    const before = proxy.hits.cutAfter;
    proxy.cutAtCommit('after');
    await expect(call(1)).rejects.toThrow(/duplicate key/);
    expect(proxy.hits.cutAfter).toBe(before);
    expect((await through.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});
