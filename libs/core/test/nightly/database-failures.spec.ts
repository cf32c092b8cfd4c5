import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  type Database,
  type DatabaseHost,
  type DatabaseWriter,
  isConnectionLost,
  type SchemaStatements,
  unavailableReason,
  UnknownOutcomeError,
  withKnownOutcome,
} from '@shardnode/core/database';
import { describeWithServers } from '@shardnode/testing/servers';
import { repository, sourceFlags } from '@shardnode/testing/source-process';
import { until } from '@shardnode/testing/waiting';
import { fixtureMigrations } from '../database/database-contract.js';
import { PostgresOfTest } from '../database/postgres-of-test.js';
import { TcpProxy } from '../database/tcp-proxy.js';

const migrator = fileURLToPath(new URL('../database/migrating-process.ts', import.meta.url));
const pause = (milliseconds = 20): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Whether the promise rejects because the connection was lost. */
const lost = (promise: Promise<unknown>): Promise<boolean> => promise.then(() => false, isConnectionLost);

const insert = 'INSERT INTO first.thing (id, name, amount) VALUES ($1, $2, 1)';
const put = (statements: Pick<SchemaStatements, 'query'>, id: number): Promise<unknown> =>
  statements.query('insert', insert, [id, 'x']);
const idsIn = async (statements: Pick<SchemaStatements, 'query'>): Promise<number[]> =>
  (await statements.query<{ id: number }>('ids', 'SELECT id FROM first.thing ORDER BY id')).map(({ id }) => id);

describeWithServers(['postgres'], 'a PostgreSQL that fails', () => {
  const postgres = new PostgresOfTest();

  describe('behind a faulty cable', () => {
    let url: string;
    let proxy: TcpProxy;
    let host: DatabaseHost;
    let database: Database;
    let writer: DatabaseWriter;
    let losses: Error[];
    const open = (through: string, holder: string): { host: DatabaseHost; database: Database; holder: string } => {
      const opened = postgres.openHost(through);
      return { host: opened, database: opened.service('first'), holder };
    };
    /** A session of the superuser's. */
    const admin = async <Row extends object>(text: string, values?: unknown[]): Promise<readonly Row[]> => {
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: postgres.server.url });
      await client.connect();
      const { rows } = await client.query(text, values);
      await client.end();
      return rows as Row[];
    };
    const terminateWriter = (): Promise<unknown> =>
      admin(
        `SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE l.locktype = 'advisory' AND a.datname = $1`,
        [new URL(url).pathname.slice(1)],
      );

    beforeEach(async () => {
      url = await postgres.freshDatabase();
      proxy = await TcpProxy.open(postgres.server.port);
      ({ host, database } = open(proxy.url(url), ''));
      await database.migrate(fixtureMigrations);
      losses = [];
      writer = await database.openWriter({ holder: 'node, process 1 on a', onLost: (error) => losses.push(error) });
    });
    afterEach(async () => {
      proxy.blackhole(false);
      await writer.close();
      await host.close();
      await proxy.close();
    });

    const transferOfTwo = (term: SchemaStatements): Promise<void> =>
      term.transaction(async (statements) => {
        await put(statements, 1);
        await put(statements, 2);
      });
    const readBack = async (): Promise<boolean> => (await idsIn(writer)).includes(2);

    it('a COMMIT that never reached the server is not there, and the writer is told', async () => {
      const term = await writer.term();
      proxy.cutOnce('COMMIT', 'before');
      const outcome = withKnownOutcome(() => transferOfTwo(term), readBack, { pause });
      expect(await lost(outcome)).toBe(true);
      expect(proxy.cuts).toBe(1);
      expect(losses).toHaveLength(1);
      expect(await idsIn(database)).toEqual([]);
    });

    it('a COMMIT whose answer was lost is there, and counts', async () => {
      const term = await writer.term();
      proxy.cutOnce('COMMIT', 'after');
      await withKnownOutcome(() => transferOfTwo(term), readBack, { pause });
      expect(proxy.cuts).toBe(1);
      expect(losses).toHaveLength(1);
      expect(await idsIn(database)).toEqual([1, 2]);
    });

    it('a single statement is its own transaction: lost on either way it is read back', async () => {
      for (const [place, there] of [
        ['before', false],
        ['after', true],
      ] as const) {
        const id = there ? 2 : 1;
        const term = await writer.term();
        // Prepared before, so that the next message is the one that does it.
        await put(term, 100 + id);
        proxy.cutOnce('\u0000\u0001x', place);
        const write = withKnownOutcome(
          () => put(term, id),
          async () => (await idsIn(writer)).includes(id),
          { pause },
        );
        if (there) await write;
        else expect(await lost(write)).toBe(true);
        expect((await idsIn(database)).includes(id)).toBe(there);
      }
      expect(proxy.cuts).toBe(2);
      expect(losses).toHaveLength(2);
    });

    it('what was begun under a lost lock is not written after it; what begins anew is', async () => {
      const term = await writer.term();
      await put(term, 1);
      await terminateWriter();
      // Nobody uses it, and it is noticed all the same.
      await until('the loss', () => losses.length === 1);
      expect(writer.isHeld).toBe(false);
      await expect(put(term, 2)).rejects.toMatchObject({ name: 'WriterLostError' });
      await expect(term.transaction((statements) => put(statements, 2))).rejects.toMatchObject({
        name: 'WriterLostError',
      });
      await put(await writer.term(), 3);
      await put(writer, 4);
      expect(writer.isHeld).toBe(true);
      expect(await idsIn(database)).toEqual([1, 3, 4]);
      expect(losses).toHaveLength(1);
    });

    it('a lost lock that another one has taken is not taken back, and nothing is written without it', async () => {
      const rival = open(url, 'rival, process 2 on b');
      const opening = (): Promise<DatabaseWriter> =>
        rival.database.openWriter({ holder: rival.holder, onLost: () => undefined });
      const refused = opening();
      await expect(refused).rejects.toMatchObject({ code: 'WriterExists' });
      await expect(refused).rejects.toThrow(/being written by node, process 1 on a, connected since 20\d\d-/);
      const term = await writer.term();
      // As if the machine of the first were unplugged, and the server had noticed.
      proxy.blackhole(true);
      await terminateWriter();
      const second = await opening();
      proxy.blackhole(false);
      await until('the loss', () => losses.length === 1);
      await expect(put(term, 1)).rejects.toMatchObject({ name: 'WriterLostError' });
      const write = put(writer, 2);
      await expect(write).rejects.toMatchObject({ code: 'WriterExists' });
      await expect(write).rejects.toThrow('rival, process 2 on b');
      await put(second, 3);
      expect(await idsIn(second)).toEqual([3]);
      await second.close();
      await put(writer, 4);
      expect(await idsIn(database)).toEqual([3, 4]);
      await rival.host.close();
    });

    it('a black hole is noticed in seconds, and once it is gone our own lost session is ended', async () => {
      await idsIn(database);
      const term = await writer.term();
      const started = performance.now();
      proxy.blackhole(true);
      await until('the loss', () => losses.length === 1);
      expect(performance.now() - started).toBeLessThan(5_000);
      expect(unavailableReason(losses[0])).toBe('its database does not answer');
      // The server has heard nothing: it still gives the lock to our old session.
      const read = idsIn(database);
      const write = put(writer, 1);
      expect(await lost(write)).toBe(true);
      expect(await lost(read)).toBe(true);
      await expect(put(term, 2)).rejects.toMatchObject({ name: 'WriterLostError' });
      proxy.blackhole(false);
      const healed = performance.now();
      await put(writer, 3);
      expect(await idsIn(database)).toEqual([3]);
      expect(performance.now() - healed).toBeLessThan(3_000);
    });

    it('a black hole in the midst of a commit: it is given up in seconds, and read back', async () => {
      const term = await writer.term();
      const write = withKnownOutcome(
        () =>
          term.transaction(async (statements) => {
            await put(statements, 1);
            proxy.blackhole(true);
            setTimeout(() => proxy.blackhole(false), 6_000);
          }),
        async () => (await idsIn(writer)).includes(1),
        { pause },
      );
      expect(await lost(write)).toBe(true);
      expect(losses).toHaveLength(1);
      expect(await idsIn(database)).toEqual([]);
    });

    it('cut connections of readers are replaced, also those that died unused', async () => {
      await Promise.all(Array.from({ length: 8 }, () => idsIn(database)));
      proxy.cutAll();
      await until('the loss', () => losses.length === 1);
      expect(await Promise.all(Array.from({ length: 8 }, () => idsIn(database)))).toHaveLength(8);
    });

    it('a connection that Prisma loses, alone or in a transaction, is told as ours are, and replaced', async () => {
      const adapter = await database.prismaAdapter().connect();
      const one = { sql: 'SELECT 1 AS one', args: [], argTypes: [] };
      expect((await adapter.queryRaw(one)).rows).toEqual([[1]]);
      proxy.cutOnce('SELECT 1 AS one', 'before');
      const alone = await adapter.queryRaw(one).then(() => undefined, unavailableReason);
      expect(alone).toBe('its database does not answer');
      const transaction = await adapter.startTransaction();
      proxy.cutOnce('COMMIT', 'after');
      // The outcome is not known: whoever needs it reads back.
      expect(await lost(transaction.executeRaw({ ...one, sql: 'COMMIT' }))).toBe(true);
      await transaction.rollback();
      expect(proxy.cuts).toBe(2);
      expect((await adapter.queryRaw(one)).rows).toEqual([[1]]);
      expect(database.usage()).toMatchObject({ used: 0, isReachable: true });
    });
  });

  describe('that stops and starts', () => {
    for (const how of ['fast', 'immediate'] as const) {
      it(`${how}: everything acknowledged is there, and the writer goes on`, async () => {
        const host = postgres.openHost(await postgres.freshDatabase());
        const database = host.service('first');
        await database.migrate(fixtureMigrations);
        let losses = 0;
        const writer = await database.openWriter({ holder: 'node', onLost: () => losses++ });
        const acknowledged: number[] = [];
        /** A machine may be too busy to find out in time. */
        const unknown: number[] = [];
        let isStopped = false;
        const writing = (async () => {
          for (let id = 0; !isStopped || acknowledged.at(-1)! < id - 20; id++) {
            const read = async (): Promise<boolean> => (await idsIn(writer)).includes(id);
            const write = withKnownOutcome(async () => put(await writer.term(), id), read, { pause });
            await write.then(
              () => acknowledged.push(id),
              (error: unknown) => {
                if (error instanceof UnknownOutcomeError) unknown.push(id);
                return pause(5);
              },
            );
          }
        })();
        await until('some rows', () => acknowledged.length > 20);
        await postgres.server.stop(how);
        const away = database.query('away', 'SELECT 1').then(() => undefined, unavailableReason);
        expect(await away).toBe('its database does not answer');
        const viaPrisma = (await database.prismaAdapter().connect()).queryRaw({
          sql: 'SELECT 1',
          args: [],
          argTypes: [],
        });
        expect(await viaPrisma.then(() => undefined, unavailableReason)).toBe('its database does not answer');
        await postgres.server.start();
        const back = performance.now();
        const before = acknowledged.length;
        await until('more rows', () => acknowledged.length > before + 20);
        expect(performance.now() - back).toBeLessThan(5_000);
        isStopped = true;
        await writing;
        expect(losses).toBeGreaterThanOrEqual(1);
        const there = new Set(await idsIn(database));
        expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
        expect([...there].filter((id) => !acknowledged.includes(id) && !unknown.includes(id))).toEqual([]);
        await writer.close();
        await host.close();
      });
    }
  });

  describe('at the start', () => {
    it('a server that does not answer is named without its password, and asked again once it is there', async () => {
      const url = await postgres.freshDatabase();
      await postgres.server.stop();
      const host = postgres.openHost(url);
      const never = host.check();
      await expect(never).rejects.toMatchObject({ code: 'Unreachable' });
      await expect(never).rejects.toThrow(new RegExp(`127.0.0.1:${postgres.server.port}/service_.* does not answer`));
      await expect(never).rejects.not.toThrow('secret');
      await postgres.server.start();
      await host.check();
      await host.close();
    });

    it('says that it refuses access, and what is no address', async () => {
      const url = new URL(await postgres.freshDatabase());
      const problems = [
        [Object.assign(new URL(url), { password: 'other' }), /does not accept the password/],
        [Object.assign(new URL(url), { pathname: '/nowhere' }), /has no such database/],
      ] as const;
      for (const [wrong, text] of problems) {
        const host = postgres.openHost(wrong.toString());
        const refused = host.check();
        await expect(refused).rejects.toMatchObject({ code: 'AccessRefused' });
        await expect(refused).rejects.toThrow(text);
        await host.close();
      }
      expect(() => postgres.openHost('mysql://user:secret@host/x')).toThrow(/^DATABASE_URL is not/);
    });

    it('migrates once when several processes start together', async () => {
      const url = await postgres.freshDatabase();
      const codes = await Promise.all(
        [1, 2, 3].map(() => {
          const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: url };
          const child = spawn(process.execPath, [...sourceFlags, migrator], {
            cwd: repository,
            env,
            stdio: ['ignore', 'inherit', 'inherit'],
          });
          return new Promise<number | null>((resolve) => child.on('close', resolve));
        }),
      );
      expect(codes).toEqual([0, 0, 0]);
      const host = postgres.openHost(url);
      const rows = await host
        .service('first')
        .query<{ name: string }>('applied', 'SELECT migration_name AS name FROM first._prisma_migrations ORDER BY 1');
      expect(rows.map(({ name }) => name)).toEqual(['20250101000000_first', '20250102000000_second']);
      await host.close();
    });

    it('names sessions so that they can be told apart, in 63 bytes', async () => {
      const url = await postgres.freshDatabase();
      const host = postgres.openHost(url, 'a-service-with-a-name-that-is-longer-than-all-others');
      const database = host.service('first');
      const holder = 'ä group-node of an unusually long name, process 1234567 on a-host.example.org';
      const writer = await database.openWriter({ holder, onLost: () => undefined });
      const rows = await database.query<{ name: string }>(
        'names',
        'SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database() ORDER BY backend_start',
      );
      for (const { name } of rows) expect(name).toMatch(/^.{10,54} #[0-9a-f]{8}$/);
      expect(new Set(rows.map(({ name }) => name)).size).toBe(2);
      // Plans are kept, and made while tables are empty: none may rest on a scan of a whole table.
      const [row] = await writer.query<{ scans: string; plans: string }>(
        'settings',
        "SELECT current_setting('enable_seqscan') AS scans, current_setting('plan_cache_mode') AS plans",
      );
      expect(row).toEqual({ scans: 'off', plans: 'force_generic_plan' });
      await writer.close();
      await host.close();
    });
  });
});
