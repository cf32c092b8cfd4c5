import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, type ServerProcess, startPostgres } from '@shardnode/core/servers';
import { developmentNetwork } from '@shardnode/protocol/network';
import { describeWithServers } from '@shardnode/testing/servers';
import { walletMigrations } from '@shardnode/wallet-service';
import { genesisOf, runBackup } from '../src/backup/backup.js';
import { runRestore } from '../src/backup/restore.js';
import { checkDatabases } from '../src/doctor/check-databases.js';
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

  it('was killed wherever it likes: a backup is whole, or has no note and is refused', async () => {
    const half = join(folder, 'half');
    writeFileSync(half, readFileSync(file));
    await expect(run(runRestore, '--wallet', half, '--yes')).rejects.toThrow(/its making was cut short/);
    const files = (): string[] => readdirSync(folder).filter((name) => name.startsWith('half'));
    expect(await run(runBackup, '--wallet', half)).toBe(0);
    expect(files().sort()).toEqual(['half', 'half.json']);
    // A dump that cannot get its name: there is no note of it either, nor one of what was there before.
    rmSync(half);
    mkdirSync(half);
    await expect(run(runBackup, '--wallet', half)).rejects.toThrow('EISDIR');
    expect(files()).toEqual(['half']);
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

  it('is no reason for the service to make empty tables, and doctor says what to do', async () => {
    await query('ALTER SCHEMA wallet RENAME TO wallet_replaced');
    const host = openDatabaseServer({ url, applicationName: 'test', logger: silentLogger });
    try {
      await expect(host.service('wallet').migrate(walletMigrations)).rejects.toThrow('stands aside in the schema');
    } finally {
      await host.close();
    }
    expect(await schemas()).toEqual([{ name: 'wallet_replaced' }]);
    const findings = await checkDatabases({ DATABASE_URL: url }, 4, []);
    expect(findings.filter(({ outcome }) => outcome === 'fault')).toEqual([
      expect.objectContaining({
        code: 'restore-unfinished',
        what: 'database shardnode_wallet',
        next: expect.stringContaining('Run the restore again.'),
      }),
    ]);
    await query('ALTER SCHEMA wallet_replaced RENAME TO wallet');
  });

  it('is no danger to another database than the one that is named', async () => {
    const words = ['--group', '0', '--yes'];
    const sentence = 'DATABASE_URL names the database shardnode_wallet, but that of group-node-0 is shardnode_group_0.';
    await expect(run(runWipe, ...words)).rejects.toThrow(sentence);
    await expect(run(runWipe, '--group', '0')).rejects.toThrow(sentence);
    await expect(run(runBackup, '--group', '0', join(folder, 'other'))).rejects.toThrow(sentence);
    const note = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as object;
    const other = join(folder, 'other');
    writeFileSync(other, readFileSync(file));
    const genesis = genesisOf(developmentNetwork);
    writeFileSync(`${other}.json`, JSON.stringify({ ...note, service: 'group-node-0', networkId: 4, genesis }));
    await expect(run(runRestore, ...words, other)).rejects.toThrow(/names the database|newer version/);
    const found = await checkDatabases({ DATABASE_URL: url, GROUP: '2' }, 4, []);
    expect(found[0]).toMatchObject({ code: 'database-other', outcome: 'fault', what: 'database shardnode_group_2' });
    // Without a name the address says which one is meant.
    expect(await checkDatabases({ DATABASE_URL: url }, 4, [])).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'schema', what: 'database shardnode_wallet' })]),
    );
    const foreign = url.replace(/[^/]*$/, 'postgres');
    expect(await checkDatabases({ DATABASE_URL: foreign }, 4, [])).toEqual([
      expect.objectContaining({ code: 'database-other', outcome: 'fault' }),
    ]);
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
