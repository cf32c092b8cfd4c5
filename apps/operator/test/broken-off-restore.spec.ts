import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, type ServerProcess, startPostgres } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { walletMigrations } from '@shardnode/wallet-service';
import { runBackup } from '../src/backup/backup.js';
import { runRestore } from '../src/backup/restore.js';
import { runWipe } from '../src/wipe/wipe.js';

describeWithServers(['postgres'], 'a restore that was killed half-way', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-restore-'));
  const file = join(folder, 'wallet.backup');
  let server: ServerProcess;
  let url: string;
  const query = async (text: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const schemas = (): Promise<unknown> =>
    query(`SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'wallet%' ORDER BY 1`);
  const run = async (command: typeof runRestore, ...words: readonly string[]): Promise<number> => {
    const spy = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      return await command({ words, environment: { ...process.env, DATABASE_URL: url } });
    } finally {
      spy.mockRestore();
    }
  };

  beforeAll(async () => {
    server = await startPostgres({ folder: join(folder, 'postgres'), settings: { fsync: 'off' } });
    url = await createServiceDatabase(server.url, 'shardnode_wallet', 'password');
    const host = openDatabaseServer({ url, applicationName: 'test', logger: silentLogger });
    await host.service('wallet').migrate(walletMigrations);
    await host.close();
  });
  afterAll(async () => {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has a backup that its owner alone can read, whatever was there before', async () => {
    writeFileSync(`${file}.part`, 'of a killed run', { mode: 0o644 });
    expect(await run(runBackup, '--wallet', file)).toBe(0);
    expect([file, `${file}.json`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('loses nothing when the next one fails, too', async () => {
    await query('CREATE TABLE wallet.only_copy (); ALTER SCHEMA wallet RENAME TO wallet_replaced');
    const wrong = join(folder, 'wrong');
    const bytes = readFileSync(file).subarray(0, -100);
    const note = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as object;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(wrong, bytes);
    writeFileSync(`${wrong}.json`, JSON.stringify({ ...note, bytes: bytes.length, sha256 }));
    await expect(run(runRestore, '--wallet', wrong, '--yes')).rejects.toThrow('pg_restore failed');
    expect(await schemas()).toEqual([{ name: 'wallet' }]);
    expect(await query(`SELECT to_regclass('wallet.only_copy')::text AS there`)).toEqual([
      { there: 'wallet.only_copy' },
    ]);
  });

  it('asks before it replaces what it has put back', async () => {
    await query('ALTER SCHEMA wallet RENAME TO wallet_replaced');
    await expect(run(runRestore, '--wallet', file)).rejects.toThrow('What is in shardnode_wallet is replaced');
    expect(await schemas()).toEqual([{ name: 'wallet' }]);
  });

  it('is left to the person when the service has made new tables since, and wipe takes both', async () => {
    await query('ALTER SCHEMA wallet RENAME TO wallet_replaced; CREATE SCHEMA wallet');
    await expect(run(runRestore, '--wallet', file, '--yes')).rejects.toThrow('That may be the only copy.');
    expect(await schemas()).toEqual([{ name: 'wallet' }, { name: 'wallet_replaced' }]);
    await run(runWipe, '--wallet', '--yes');
    expect(await schemas()).toEqual([]);
    expect(await run(runRestore, '--wallet', file, '--yes')).toBe(0);
    expect(await schemas()).toEqual([{ name: 'wallet' }]);
  });
});
