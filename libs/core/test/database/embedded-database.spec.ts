import { describe, expect, it, afterAll } from '@jest/globals';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseError, openEmbeddedDatabase, prepareCluster } from '@shardnode/core/database';
import { startEndedProcess } from '@shardnode/testing/ended-process';
import { describeDatabase, fixtureMigrations } from './database-contract.js';
import { startWriter } from './start-writer.js';

const folder = mkdtempSync(join(tmpdir(), 'shardnode-database-'));
const prepared = join(folder, 'prepared.tar.gz');
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

  it('lets one process in: the second is told which one, and a killed one leaves the folder free', async () => {
    const dataDir = freshFolder();
    const child = startWriter({ dataDir, prepared });
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
