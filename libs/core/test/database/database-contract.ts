import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import {
  booleanArray,
  byteaArray,
  type Database,
  type DatabaseHost,
  hashArray,
  int2Array,
  int4Array,
  int8Array,
  logRestore,
  noteRestore,
  type MigrationSource,
  textArray,
  uuidArray,
} from '@shardnode/core/database';

const prisma = fileURLToPath(new URL('./fixture/prisma', import.meta.url));
export const fixtureMigrations: MigrationSource = {
  folder: join(prisma, 'migrations'),
  schemaFile: join(prisma, 'schema.prisma'),
};

/** A way to get a database: the embedded one, or a server. */
export interface DatabaseAdapter {
  readonly name: string;
  open(): Promise<DatabaseHost>;
  /** Removes what `open` made; the host is closed. */
  remove(): Promise<void>;
}

const insert = 'INSERT INTO first.thing (id, name, amount) VALUES ($1, $2, $3::numeric)';
const count = async (database: Database): Promise<bigint> =>
  (await database.query<{ n: bigint }>('count', `SELECT count(*) AS n FROM ${database.schema}.thing`))[0]!.n;

/** A copy of the fixture's migrations, to be changed. */
const copiedMigrations = (): MigrationSource & { readonly root: string } => {
  const root = mkdtempSync(join(tmpdir(), 'shardnode-migrations-'));
  cpSync(prisma, root, { recursive: true });
  return { root, folder: join(root, 'migrations'), schemaFile: join(root, 'schema.prisma') };
};

/** What every adapter of the database port does alike. */
export const describeDatabase = (adapter: DatabaseAdapter): void => {
  describe(`the database port over ${adapter.name}`, () => {
    let host: DatabaseHost;
    let database: Database;
    beforeAll(async () => {
      host = await adapter.open();
      database = host.service('first');
      await database.migrate(fixtureMigrations);
    });
    beforeEach(() => database.script('DELETE FROM first.thing'));
    afterAll(async () => {
      await host.close();
      await adapter.remove();
    });

    it('gives one object for one schema, and refuses names that would need quoting', () => {
      expect(host.service('first')).toBe(database);
      for (const name of ['', 'a b', 'A', '1a', 'a"b', 'x'.repeat(32)])
        expect(() => host.service(name)).toThrow(RangeError);
    });

    it('reads a snapshot, of one moment and without writing', async () => {
      const inSnapshot = { snapshotTimeoutMs: 1_000 };
      const level = await database.transaction(
        ({ query }) => query('isolation', "SELECT current_setting('transaction_isolation') AS level"),
        inSnapshot,
      );
      expect(level).toEqual([{ level: 'repeatable read' }]);
      const write = database.transaction(({ query }) => query('insert', insert, [1, 'a', '1']), inSnapshot);
      await expect(write).rejects.toMatchObject({ code: '25006' });
      expect(await count(database)).toBe(0n);
    });

    it('takes and gives values of every type that services store', async () => {
      const rows = await database.query(
        'values',
        `SELECT $1::int8 AS large, $2::numeric AS amount, $3::bytea AS bytes, $4::text AS text, $5::bool AS flag,
           $6::bytea AS nothing, $7::smallint AS small`,
        [(1n << 63n) - 1n, (2n ** 256n - 1n).toString(), new Uint8Array([0, 255, 92]), 'ä\\\'"', true, null, -3],
      );
      expect(rows).toEqual([
        {
          large: (1n << 63n) - 1n,
          amount: (2n ** 256n - 1n).toString(),
          bytes: Buffer.from([0, 255, 92]),
          text: 'ä\\\'"',
          flag: true,
          nothing: null,
          small: -3,
        },
      ]);
    });

    it('takes missing numbers in arrays as NULL', async () => {
      const text = 'SELECT * FROM unnest($1::int2[], $2::int4[], $3::int8[]) AS t(a, b, c)';
      const values = [int2Array([undefined, 2]), int4Array([3, undefined]), int8Array([undefined, 1n << 62n])];
      expect(await database.query('missing-numbers', text, values)).toEqual([
        { a: null, b: 3, c: null },
        { a: 2, b: null, c: 1n << 62n },
      ]);
    });

    it('takes whole columns as arrays in binary form', async () => {
      const hash = 'ab'.repeat(32);
      const rows = await database.query(
        'arrays',
        `SELECT * FROM unnest($1::int2[], $2::int4[], $3::int8[], $4::bool[], $5::bytea[], $6::uuid[], $7::bytea[], $8::text[])
           AS t(a, b, c, d, e, f, g, h)`,
        [
          int2Array([-1, 2]),
          int4Array([-(2 ** 31), 2 ** 31 - 1]),
          int8Array([-1n, 1n << 62n]),
          booleanArray([true, false]),
          hashArray([hash, '00'.repeat(32)]),
          uuidArray(['0123456789abcdef0123456789abcdef', '00'.repeat(16)]),
          byteaArray([new Uint8Array([7]), undefined]),
          textArray([undefined, '']),
        ],
      );
      expect(rows).toEqual([
        {
          a: -1,
          b: -(2 ** 31),
          c: -1n,
          d: true,
          e: Buffer.from(hash, 'hex'),
          f: '01234567-89ab-cdef-0123-456789abcdef',
          g: Buffer.from([7]),
          h: null,
        },
        {
          a: 2,
          b: 2 ** 31 - 1,
          c: 1n << 62n,
          d: false,
          e: Buffer.alloc(32),
          f: '00000000-0000-0000-0000-000000000000',
          g: null,
          h: '',
        },
      ]);
      expect(await database.query('empty', 'SELECT * FROM unnest($1::bytea[]) t', [hashArray([])])).toEqual([]);
      expect(() => hashArray(['abc'])).toThrow(RangeError);
    });

    it('commits a transaction whole, and leaves nothing of one that throws', async () => {
      await database.transaction(async (statements) => {
        for (const id of [1, 2, 3]) await statements.query('insert', insert, [id, 'a', '1']);
      });
      expect(await count(database)).toBe(3n);
      const failed = database.transaction(async (statements) => {
        await statements.query('insert', insert, [4, 'a', '1']);
        throw new Error('stop');
      });
      await expect(failed).rejects.toThrow('stop');
      const refused = database.transaction(async (statements) => {
        await statements.query('insert', insert, [5, 'a', '1']);
        await statements.query('insert', insert, [1, 'again', '1']);
      });
      await expect(refused).rejects.toMatchObject({ code: '23505' });
      expect(await count(database)).toBe(3n);
    });

    it('throws when COMMIT is refused: a deferred constraint', async () => {
      await database.script(`CREATE TABLE IF NOT EXISTS first.part (id int PRIMARY KEY,
        thing int REFERENCES first.thing DEFERRABLE INITIALLY DEFERRED)`);
      const refused = database.transaction(async (statements) => {
        await statements.query('part', 'INSERT INTO first.part VALUES ($1, $2)', [1, 77]);
      });
      await expect(refused).rejects.toMatchObject({ code: '23503' });
      expect(await database.query('parts', 'SELECT * FROM first.part')).toEqual([]);
      await database.script('DROP TABLE first.part');
    });

    it('serves Prisma: statements and transactions of the schema, observed; errors of the server stay its own', async () => {
      const adapter = await database.prismaAdapter().connect();
      expect(adapter.getConnectionInfo?.()).toMatchObject({ schemaName: 'first' });
      const kinds: string[] = [];
      database.observe((kind) => kinds.push(kind));
      const put = (statements: Pick<typeof adapter, 'executeRaw'>, id: number): Promise<number> =>
        statements.executeRaw({ sql: `INSERT INTO first.thing VALUES (${id}, 'p', 1)`, args: [], argTypes: [] });
      expect(await put(adapter, 1)).toBe(1);
      expect(kinds).toEqual(['read']);
      // The code of a unique violation, of which Prisma makes P2002.
      await expect(put(adapter, 1)).rejects.toMatchObject({
        name: 'DriverAdapterError',
        cause: { kind: 'UniqueConstraintViolation', originalCode: '23505' },
      });
      for (const [id, end] of [
        [2, 'COMMIT'],
        [3, 'ROLLBACK'],
      ] as const) {
        const transaction = await adapter.startTransaction();
        await put(transaction, id);
        await transaction.executeRaw({ sql: end, args: [], argTypes: [] });
        await (end === 'COMMIT' ? transaction.commit() : transaction.rollback());
      }
      const ids = await database.query<{ id: number }>('prisma', 'SELECT id FROM first.thing ORDER BY id');
      expect(ids.map(({ id }) => id)).toEqual([1, 2]);
    });

    it('goes on after errors, and serves many callers at once', async () => {
      await expect(database.query('broken', 'SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
      await expect(database.query('typed', 'SELECT $1::int', ['x'])).rejects.toMatchObject({ code: '22P02' });
      const writers = Array.from({ length: 50 }, (_, id) =>
        id % 2 === 0
          ? database.query('insert', insert, [id, 'b', '1'])
          : database.transaction((statements) => statements.query('insert', insert, [id, 'b', '1'])),
      );
      await Promise.all(writers);
      expect(await count(database)).toBe(50n);
    });

    it('lets other events happen between statements', async () => {
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      // Ends at once, unless nothing else ever gets its turn.
      const end = performance.now() + 10_000;
      while (turns <= 5 && performance.now() < end) await database.query('busy', 'SELECT 1 AS one');
      clearInterval(timer);
      expect(turns).toBeGreaterThan(5);
    });

    it('keeps services apart: the same statement names, tables and migrations in two schemas', async () => {
      const other = host.service('second');
      await other.migrate(fixtureMigrations);
      await other.query('insert', insert.replace('first.', 'second.'), [1, 'mine', '1']);
      expect(await count(other)).toBe(1n);
      expect(await count(database)).toBe(0n);
    });

    it('ends a script that takes longer than it may, and serves the next one', async () => {
      // The embedded database runs it to its end: half a second.
      const slow = 'SELECT count(*) FROM generate_series(1, 2000000)';
      await expect(database.script(slow, { statementPatience: 20 })).rejects.toThrow(/timeout/);
      await database.script('SELECT 1', { statementPatience: 60_000 });
    });

    it('refuses a name of a statement that PostgreSQL would cut', async () => {
      const long = 'x'.repeat(64 - 'first.'.length);
      await expect(database.query(long, 'SELECT 1')).rejects.toThrow('is longer than 63: first.xx');
      expect(await database.query(long.slice(1), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it('makes no new tables where a restore that was killed has put the old ones aside', async () => {
      const other = host.service('second');
      await other.migrate(fixtureMigrations);
      await other.script('ALTER SCHEMA second RENAME TO second_replaced');
      await expect(other.migrate(fixtureMigrations)).rejects.toMatchObject({
        code: 'RestoreUnfinished',
        message: expect.stringMatching(/stands aside in the schema second_replaced.*operator restore/),
      });
      const schemas = `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'second%' ORDER BY 1`;
      expect(await other.query('schemas', schemas)).toEqual([{ name: 'second_replaced' }]);
      await other.script('ALTER SCHEMA second_replaced RENAME TO second');
      await other.migrate(fixtureMigrations);
      await other.script('CREATE SCHEMA second_replaced');
      await expect(other.migrate(fixtureMigrations)).rejects.toThrow('is there twice');
      await other.script('DROP SCHEMA second_replaced; DROP SCHEMA second CASCADE');
    });

    it('says in the log that it was restored, by the newest note, and nothing of other comments', async () => {
      const database = host.service('restored');
      await database.migrate(fixtureMigrations);
      const lines: unknown[] = [];
      const logger = pino(
        { base: null, timestamp: false },
        { write: (line) => void lines.push(JSON.parse(line) as unknown) },
      );
      await logRestore(database, logger);
      await database.script("COMMENT ON SCHEMA restored IS 'ours'");
      await logRestore(database, logger);
      expect(lines).toEqual([]);
      await noteRestore(database, { backupMadeAt: "it's", restoredAt: 'one' });
      const note = { backupMadeAt: '2026-11-20T10:00:00.000Z', restoredAt: '2026-11-24T10:00:00.000Z' };
      await noteRestore(database, note);
      await logRestore(database, logger);
      await logRestore(host.service('never_made'), logger);
      expect(lines).toEqual([{ level: 30, ...note, msg: 'the database was restored from a backup' }]);
    });

    it('migrates once, whoever asks again, and runs scripts with semicolons whole', async () => {
      await database.migrate(fixtureMigrations);
      await Promise.all([database.migrate(fixtureMigrations), database.migrate(fixtureMigrations)]);
      const rows = await database.query<{ name: string }>(
        'applied',
        'SELECT migration_name AS name FROM first._prisma_migrations ORDER BY 1',
      );
      expect(rows.map(({ name }) => name)).toEqual(['20250101000000_first', '20250102000000_second']);
      await database.query('insert', insert, [1, 'a', '1']);
      expect(await database.query('function', 'SELECT first.things() AS n')).toEqual([{ n: 1n }]);
    });

    it('refuses data of a newer version, and of another one', async () => {
      const older = copiedMigrations();
      try {
        rmSync(join(older.folder, '20250102000000_second'), { recursive: true });
        await expect(database.migrate(older)).rejects.toMatchObject({ code: 'NewerSchema' });
        cpSync(join(fixtureMigrations.folder, '20250102000000_second'), join(older.folder, '20250102000000_second'), {
          recursive: true,
        });
        writeFileSync(join(older.folder, '20250101000000_first', 'migration.sql'), 'SELECT 1;');
        await expect(database.migrate(older)).rejects.toMatchObject({ code: 'ChangedMigration' });
      } finally {
        rmSync(older.root, { recursive: true });
      }
    });

    it('applies anew what a killed process has begun, and keeps what was there', async () => {
      const newer = copiedMigrations();
      try {
        const begun = '20250103000000_third';
        const killed = host.service('killed');
        await killed.migrate(newer);
        mkdirSync(join(newer.folder, begun));
        writeFileSync(join(newer.folder, begun, 'migration.sql'), 'ALTER TABLE "thing" ADD COLUMN "later" INTEGER');
        await killed.query('row', "INSERT INTO killed.thing (id, name, amount) VALUES (1, 'kept', 7)");
        // What the engine writes before it runs the script.
        const row = `INSERT INTO killed._prisma_migrations (id, checksum, migration_name, applied_steps_count)
          VALUES ('dead', 'of a script', $1, 0)`;
        await killed.query('begun', row, [begun]);
        await killed.migrate(newer);
        expect(await killed.query('kept', 'SELECT id, name, later FROM killed.thing')).toEqual([
          { id: 1, name: 'kept', later: null },
        ]);
        const rows = await killed.query(
          'rows',
          `SELECT finished_at IS NOT NULL AS finished, rolled_back_at IS NOT NULL AS given_up
           FROM killed._prisma_migrations WHERE migration_name = '${begun}' ORDER BY finished`,
        );
        expect(rows).toEqual([
          { finished: false, given_up: true },
          { finished: true, given_up: false },
        ]);
      } finally {
        rmSync(newer.root, { recursive: true });
      }
    });

    it('migrates several schemas at once, one after the other', async () => {
      const schemas = ['north', 'east', 'south', 'west'].map((name) => host.service(name));
      await Promise.all(schemas.map((schema) => schema.migrate(fixtureMigrations)));
      for (const schema of schemas) expect(await count(schema)).toBe(0n);
    });

    it('names the migration that fails, leaves nothing of it, and goes on once it is mended', async () => {
      const broken = copiedMigrations();
      try {
        const script = join(broken.folder, '20250102000000_second', 'migration.sql');
        writeFileSync(script, 'CREATE TABLE "half" ("id" INTEGER); SELECT no_such_function();');
        const third = host.service('third');
        await expect(third.migrate(broken)).rejects.toMatchObject({ code: 'MigrationFailed' });
        expect(await third.query('half', "SELECT to_regclass('third.half') AS found")).toEqual([{ found: null }]);
        // Again, and with the same reason: not with that of a row that is left.
        await expect(third.migrate(broken)).rejects.toThrow(/no_such_function/);
        await third.migrate(fixtureMigrations);
        expect(await count(third)).toBe(0n);
      } finally {
        rmSync(broken.root, { recursive: true });
      }
    });

    describe('the writer of a schema', () => {
      const holder = 'the first writer, process 1 on host-a';
      const open = (holdersName = holder, schema = database) =>
        schema.openWriter({ holder: holdersName, onLost: () => undefined });

      it('writes alone or in transactions, and what it wrote is there for readers', async () => {
        const writer = await open();
        expect(writer).toMatchObject({ isHeld: true, schema: 'first' });
        await writer.query('insert', insert, [1, 'a', '1']);
        const written = await writer.transaction(async (statements) => {
          await statements.query('insert', insert, [2, 'a', '1']);
          return statements.query<{ n: bigint }>('count-mine', 'SELECT count(*) AS n FROM first.thing');
        });
        expect(written[0]!.n).toBe(2n);
        const term = await writer.term();
        await term.query('insert', insert, [3, 'a', '1']);
        expect(await count(database)).toBe(3n);
        const refused = term.transaction(async (statements) => {
          await statements.query('insert', insert, [4, 'a', '1']);
          await statements.query('insert', insert, [1, 'again', '1']);
        });
        await expect(refused).rejects.toMatchObject({ code: '23505' });
        expect(writer.isHeld).toBe(true);
        expect(await count(database)).toBe(3n);
        await writer.close();
      });

      it('is one: a second one is refused and told who the first is, another schema has its own', async () => {
        const writer = await open();
        const second = open('the second writer');
        await expect(second).rejects.toMatchObject({ name: 'DatabaseError', code: 'WriterExists' });
        await expect(second).rejects.toThrow(holder);
        const other = await open('the writer of another schema', host.service('second'));
        await other.close();
        await writer.close();
        const next = await open('the next writer');
        await next.close();
        await next.close();
      });

      it('does nothing any more once it is closed', async () => {
        const writer = await open();
        const term = await writer.term();
        await writer.close();
        expect(writer.isHeld).toBe(false);
        for (const statements of [writer, term])
          await expect(statements.query('insert', insert, [1, 'a', '1'])).rejects.toThrow('lost');
        await expect(writer.transaction(() => Promise.resolve())).rejects.toMatchObject({ name: 'WriterLostError' });
        expect(await count(database)).toBe(0n);
      });

      it('does not commit a transaction in which a statement failed, though the error was swallowed', async () => {
        const writer = await open();
        const swallowed = writer.transaction(async (statements) => {
          await statements.query('insert', insert, [1, 'a', '1']);
          await statements.query('broken', 'SELECT 1 / 0').catch(() => undefined);
        });
        await expect(swallowed).rejects.toThrow('rolled back');
        expect(await count(database)).toBe(0n);
        await writer.close();
      });
    });
  });
};
