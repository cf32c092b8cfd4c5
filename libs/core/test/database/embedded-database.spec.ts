import { describe, expect, it, afterAll } from '@jest/globals';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseError, openEmbeddedDatabase, prepareCluster } from '@shardnode/core/database';
import { startEndedProcess } from '@shardnode/testing/ended-process';
import { repository, sourceFlags } from '@shardnode/testing/source-process';
import { describeDatabase, fixtureMigrations } from './database-contract.js';

const folder = mkdtempSync(join(tmpdir(), 'shardnode-database-'));
const prepared = join(folder, 'prepared.tar.gz');
/** Of a writing process; one on each engine in turn. */
const kills = process.env.LONG === '1' ? 20 : 2;
const writer = fileURLToPath(new URL('./writer-process.ts', import.meta.url));
let number = 0;
const freshFolder = (): string => join(folder, `data-${++number}`);

writeFileSync(prepared, await prepareCluster((service) => service('first').migrate(fixtureMigrations)));

for (const [engine, name] of [
  ['thread', 'PGlite on a thread of its own'],
  ['in-process', 'PGlite on the main thread'],
] as const) {
  describeDatabase({
    name,
    open: () => openEmbeddedDatabase({ dataDir: freshFolder(), preparedCluster: prepared, engine }),
    remove: () => Promise.resolve(),
  });
}

interface Child {
  readonly pid: number;
  readonly lines: string[];
  /** Resolves when so many lines came, or at the end. */
  printed(lines: number): Promise<void>;
  ended: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** A process that opens the folder, prints `open`, and then a number for each row that it was told is committed. */
const startWriter = (dataDir: string, engine = 'thread'): Child => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [...sourceFlags, writer, dataDir, prepared, engine], {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  const take = (chunk: Buffer): void => {
    rest += chunk.toString();
    const parts = rest.split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
    for (const wake of waiting) wake();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return {
    pid: child.pid!,
    lines,
    ended,
    printed: (count) => {
      const enough = new Promise<void>((resolve) => {
        const wake = (): void => {
          if (lines.length >= count) resolve();
        };
        waiting.add(wake);
        wake();
      });
      return Promise.race([enough, ended]);
    },
    kill: (signal) => void child.kill(signal),
  };
};

const problemOf = async (options: Parameters<typeof openEmbeddedDatabase>[0]): Promise<DatabaseError> => {
  try {
    const host = await openEmbeddedDatabase(options);
    await host.close();
  } catch (error) {
    if (error instanceof DatabaseError) return error;
    throw error;
  }
  throw new Error('it opened');
};

describe('the embedded database', () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps its data through a restart, and starts from nothing without a prepared cluster', async () => {
    const dataDir = freshFolder();
    const host = await openEmbeddedDatabase({ dataDir });
    await host.service('first').migrate(fixtureMigrations);
    await host.service('first').script("INSERT INTO first.thing VALUES (1, 'a', 5, NULL)");
    await host.close();
    const again = await openEmbeddedDatabase({ dataDir, preparedCluster: prepared });
    expect(await again.service('first').query('all', 'SELECT id FROM first.thing')).toEqual([{ id: 1 }]);
    await again.close();
    await again.close();
  });

  it.each(['thread', 'in-process'] as const)(
    'on its %s engine: statements and transactions of many callers take effect in the order of the calls',
    async (engine) => {
      const host = await openEmbeddedDatabase({ dataDir: freshFolder(), preparedCluster: prepared, engine });
      const database = host.service('first');
      const count = async (): Promise<number> =>
        Number((await database.query<{ n: bigint }>('count', 'SELECT count(*) AS n FROM first.thing'))[0]!.n);
      const add = (id: number): Promise<unknown> =>
        database.query('add', "INSERT INTO first.thing VALUES ($1, 'a', 5, NULL)", [id]);
      let during: number | undefined;
      let later: Promise<number> | undefined;
      const [first, second] = [[count(), add(1), count()], add(1)] as const;
      const transaction = database.transaction(async (statements) => {
        for (const id of [2, 3])
          await statements.query('add', "INSERT INTO first.thing VALUES ($1, 'a', 5, NULL)", [id]);
        // Of somebody who came later: it does not see a half of the transaction, nor is it in it.
        later = count().then((seen) => (during = seen));
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(during).toBeUndefined();
      });
      const last = count();
      await expect(second).rejects.toThrow('duplicate key');
      expect(await Promise.all(first)).toEqual([0, [], 1]);
      await transaction;
      expect([await last, await later]).toEqual([3, 3]);
      const many = await Promise.all(Array.from({ length: 200 }, (_, i) => add(10 + i).then(count)));
      expect(Math.max(...many)).toBe(203);
      await host.close();
    },
  );

  it('loses nothing acknowledged and tears nothing when it is killed, again and again', async () => {
    const dataDir = freshFolder();
    let acknowledged = 0;
    for (let round = 0; round < kills; round++) {
      const child = startWriter(dataDir, round % 2 === 0 ? 'thread' : 'in-process');
      await child.printed(1 + 20 + round * 37);
      child.kill('SIGKILL');
      await child.ended;
      expect(child.lines[0]).toBe('open');
      acknowledged += child.lines.length - 1;
      const host = await openEmbeddedDatabase({ dataDir, preparedCluster: prepared });
      const database = host.service('first');
      const rows = await database.query<{ id: number; name: string }>(
        'all',
        'SELECT id, name FROM first.thing ORDER BY id',
      );
      // Every transaction writes two rows: both or none.
      expect(rows.length % 2).toBe(0);
      expect(rows.length / 2).toBeGreaterThanOrEqual(acknowledged);
      expect(rows.map(({ id }) => id)).toEqual(rows.map((_, i) => i));
      acknowledged = rows.length / 2;
      await host.close();
    }
    expect(acknowledged).toBeGreaterThan(20 * kills);
  });

  it('lets one process in: the second is told which one, and a killed one leaves the folder free', async () => {
    const dataDir = freshFolder();
    const child = startWriter(dataDir);
    await child.printed(1);
    const problem = await problemOf({ dataDir });
    expect(problem.code).toBe('FolderInUse');
    expect(problem.message).toContain(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await child.ended;
    const host = await openEmbeddedDatabase({ dataDir });
    expect((await problemOf({ dataDir })).message).toContain(`process ${process.pid}`);
    await host.close();
    expect(readdirSync(dataDir).filter((name) => name.startsWith('lock-'))).toEqual([]);
  });

  it('lets at most one of many starters in', async () => {
    const dataDir = freshFolder();
    const children = Array.from({ length: 3 }, () => startWriter(dataDir));
    await Promise.all(children.map((child) => child.printed(1)));
    const inside = children.filter((child) => child.lines[0] === 'open');
    expect(inside.length).toBeLessThanOrEqual(1);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => child.ended));
  });

  it('takes no notice of a killed process whose parent has not asked for its exit code', async () => {
    const dataDir = freshFolder();
    mkdirSync(dataDir);
    const { pid, remove } = await startEndedProcess();
    writeFileSync(join(dataDir, 'lock-3-zombie.json'), JSON.stringify({ pid, started: '', host: '' }));
    const host = await openEmbeddedDatabase({ dataDir, preparedCluster: prepared });
    await host.close();
    remove();
  });

  it('takes no notice of a lock whose process id belongs to another process by now', async () => {
    const dataDir = freshFolder();
    mkdirSync(dataDir);
    writeFileSync(
      join(dataDir, 'lock-1-old.json'),
      JSON.stringify({ pid: process.ppid, started: 'other/1', host: '' }),
    );
    writeFileSync(join(dataDir, 'lock-2-empty.json'), '');
    const host = await openEmbeddedDatabase({ dataDir, preparedCluster: prepared });
    await host.close();
  });

  it('starts over a cluster that was never completed', async () => {
    const dataDir = freshFolder();
    mkdirSync(join(dataDir, 'cluster'), { recursive: true });
    writeFileSync(join(dataDir, 'cluster', 'PG_VERSION'), '18');
    const host = await openEmbeddedDatabase({ dataDir, preparedCluster: prepared });
    expect(await host.service('first').query('one', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await host.close();
  });

  it('says what is wrong with a folder, and what to do', async () => {
    const foreign = freshFolder();
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'thesis.txt'), '');
    expect(await problemOf({ dataDir: foreign })).toMatchObject({ code: 'FolderNotOurs' });
    expect(existsSync(join(foreign, 'thesis.txt'))).toBe(true);

    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await problemOf({ dataDir: file })).toMatchObject({ code: 'FolderNotWritable' });
    expect(await problemOf({ dataDir: join(file, 'below') })).toMatchObject({ code: 'FolderNotWritable' });

    const dataDir = freshFolder();
    const host = await openEmbeddedDatabase({ dataDir, identity: 'network 4', preparedCluster: prepared });
    await host.close();
    const other = await problemOf({ dataDir, identity: 'network 7' });
    expect(other.code).toBe('OtherNetwork');
    expect(other.message).toContain('network 4');

    writeFileSync(join(dataDir, 'database.json'), JSON.stringify({ layout: 9, cluster: 18, identity: 'network 4' }));
    expect(await problemOf({ dataDir, identity: 'network 4' })).toMatchObject({ code: 'OtherVersion' });
    writeFileSync(join(dataDir, 'database.json'), '{');
    expect(await problemOf({ dataDir, identity: 'network 4' })).toMatchObject({ code: 'DamagedFolder' });
    expect(readdirSync(dataDir).filter((name) => name.startsWith('lock-'))).toEqual([]);
  });

  it('says that a folder without the right to write cannot be used', async () => {
    if (process.getuid?.() === 0) return; // root writes everywhere
    const dataDir = freshFolder();
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o500);
    expect(await problemOf({ dataDir })).toMatchObject({ code: 'FolderNotWritable' });
  });
});
