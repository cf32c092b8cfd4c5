import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createServiceDatabase,
  dropServiceDatabase,
  freePort,
  programAdvice,
  type ServerProcess,
  startNats,
  startPostgres,
  startRedis,
} from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import pg from 'pg';

const query = async (url: string, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};

/** A program that makes a cluster in this folder, with this part of the cluster there already. */
const makerOf = async (folder: string, part: string): Promise<number> => {
  for (;;) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const words = commandOf(pid);
      const data = words.find((word) => word.startsWith(`${folder}/data.new-`));
      if (words[0]?.endsWith('initdb') && data !== undefined && existsSync(join(data, part))) return Number(pid);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

const commandOf = (pid: string): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It has ended meanwhile.
    return [];
  }
};

describe('advice', () => {
  it('names the commands that install and start a server', () => {
    expect(programAdvice('postgres')).toMatchObject({
      install: expect.stringContaining('postgresql'),
      start: expect.stringContaining('postgresql'),
    });
  });

  it('free ports are all different', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(new Set(ports).size).toBe(20);
  });
});

describeWithServers(['postgres', 'nats', 'redis'], 'servers of our own', () => {
  let folder: string;
  let postgres: ServerProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-servers-'));
    postgres = await startPostgres({ folder: join(folder, 'postgres') });
  });
  afterAll(async () => {
    await postgres?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('PostgreSQL has a database for each service that only its role may use', async () => {
    const url = await createServiceDatabase(postgres.url, 'shardnode_one', 'first');
    const other = await createServiceDatabase(postgres.url, 'shardnode_two', 'second');
    await query(url, 'CREATE SCHEMA mine; CREATE TABLE mine.kept (n int); INSERT INTO mine.kept VALUES (7)');
    const trespass = new URL(other);
    trespass.pathname = '/shardnode_one';
    await expect(query(trespass.toString(), 'SELECT 1')).rejects.toThrow(/permission denied/);
    // Asked for again it is the same one, with a new password.
    const again = await createServiceDatabase(postgres.url, 'shardnode_one', 'third');
    expect(await query(again, 'SELECT n FROM mine.kept')).toEqual([{ n: 7 }]);
    await expect(query(url, 'SELECT 1')).rejects.toThrow(/password/);
    await dropServiceDatabase(postgres.url, 'shardnode_two');
    await expect(query(other, 'SELECT 1')).rejects.toThrow();
  });

  it.each(['fast', 'immediate', 'kill9'] as const)('PostgreSQL starts again after %s with its data', async (how) => {
    await query(postgres.url, `CREATE TABLE kept_${how} (n int); INSERT INTO kept_${how} VALUES (1)`);
    if (how === 'kill9') await postgres.kill9();
    else await postgres.stop(how);
    expect(postgres.pid).toBeUndefined();
    await expect(query(postgres.url, 'SELECT 1')).rejects.toThrow();
    await postgres.start();
    expect(await query(postgres.url, `SELECT n FROM kept_${how}`)).toEqual([{ n: 1 }]);
  });

  it('PostgreSQL whose first start was killed in the midst of it starts', async () => {
    const own = join(folder, 'killed');
    const first = startPostgres({ folder: own }).then(
      () => 'started',
      () => 'failed',
    );
    process.kill(await makerOf(own, 'PG_VERSION'), 'SIGKILL');
    expect(await first).toBe('failed');
    expect(readdirSync(own)).toContainEqual(expect.stringMatching(/^data\.new-/));
    const second = await startPostgres({ folder: own });
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readdirSync(own).sort()).toEqual(['data', 'password-of-postgres']);
    await second.remove();
  });

  it('a second PostgreSQL on the same folder is refused, naming the first', async () => {
    const second = startPostgres({ folder: join(folder, 'postgres') });
    await expect(second).rejects.toThrow(`as process ${postgres.pid}`);
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('a frozen one does not answer until it is thawed', async () => {
    await postgres.freeze();
    const asked = query(postgres.url, 'SELECT 1 AS one');
    const first = await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 300, 'nothing'))]);
    expect(first).toBe('nothing');
    postgres.thaw();
    expect(await asked).toEqual([{ one: 1 }]);
  });

  it('NATS and Redis start, stop, start again on their port, and leave nothing behind', async () => {
    for (const start of [startNats, startRedis]) {
      const own = join(folder, start.name);
      const server = await start({ folder: own });
      await server.kill9();
      expect(server.pid).toBeUndefined();
      await server.start();
      const { pid } = server;
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      await server.remove();
      expect(existsSync(`/proc/${pid}`)).toBe(false);
      expect(existsSync(own)).toBe(false);
    }
  });
});
