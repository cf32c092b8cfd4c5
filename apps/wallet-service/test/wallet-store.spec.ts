import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, startPostgres } from '@shardnode/core/servers';
import { openMemoryWallets, WalletDisk } from '@shardnode/simulator';
import { describeWithServers } from '@shardnode/testing/servers';
import { walletMigrations } from '../src/storage/migrations.js';
import { noTries, type PasswordTries } from '../src/keys/password-guard.js';
import { type WalletRow, type WalletStore } from '../src/storage/wallet-store.js';
import { PrismaClient } from '../src/generated/prisma/client.js';
import { prismaWalletStore } from '../src/storage/prisma-wallet-store.js';
import { temporaryDatabase } from './wallet-world.js';

interface TestStore {
  readonly store: WalletStore;
  /** Another one over what the first has written, as after a restart. */
  again(): WalletStore;
  remove(): Promise<void>;
}

const overTable = async (database: Database, remove: () => Promise<void>): Promise<TestStore> => {
  await database.migrate(walletMigrations);
  const open = (): WalletStore => prismaWalletStore(new PrismaClient({ adapter: database.prismaAdapter() }));
  return { store: open(), again: open, remove };
};

const embedded = async (): Promise<TestStore> => {
  const database = await temporaryDatabase();
  return overTable(database.host.service('wallet_store'), () => database.remove());
};

const onServer = async (): Promise<TestStore> => {
  const server = await startPostgres({ folder: mkdtempSync(join(tmpdir(), 'shardnode-wallet-store-')) });
  const url = await createServiceDatabase(server.url, 'wallet_store', 'secret');
  const host = openDatabaseServer({ url, applicationName: 'wallet-service', logger: silentLogger });
  return overTable(host.service('wallet'), async () => {
    await host.close();
    await server.remove();
  });
};

const inMemory = async (): Promise<TestStore> => {
  const disk = new WalletDisk();
  return { store: openMemoryWallets(disk), again: () => openMemoryWallets(disk), remove: async () => undefined };
};

const wallet = (name: string, fill: number, more: Partial<WalletRow> = {}): WalletRow => ({
  name,
  isMiner: false,
  addressCount: 1,
  activeIndex: 0,
  secret: Uint8Array.from({ length: 90 }, (_, i) => (fill + i) % 256),
  ...more,
});

const ofOwner: PasswordTries = {
  clients: [{ client: '192.0.2.1', failures: 0, blockedUntil: 0, isKnown: true }],
  strangersBlockedUntil: 0,
};
const tries: PasswordTries = {
  clients: [
    ...ofOwner.clients,
    { client: '2001:db8:0:0::/64', failures: 7, blockedUntil: 1_790_000_123_456, isKnown: false },
  ],
  strangersBlockedUntil: 1_790_000_123_000,
};

/** A database gives a Buffer. */
const plain = (row: WalletRow | undefined) =>
  row && { ...row, secret: [...row.secret], fingerprint: row.fingerprint && [...row.fingerprint] };

const keepsWallets = (open: () => Promise<TestStore>): void => {
  let opened: TestStore;
  let store: WalletStore;
  beforeAll(async () => {
    opened = await open();
    store = opened.store;
  });
  afterAll(() => opened.remove());

  it('gives back what was put in, after a restart too, and shares no bytes', async () => {
    const fingerprint = new Uint8Array(32).fill(9);
    const miner = wallet('Miner_1', 1, { isMiner: true, addressCount: 9, activeIndex: 7, fingerprint });
    const given = { ...miner, secret: Uint8Array.from(miner.secret), fingerprint: Uint8Array.from(fingerprint) };
    expect(await store.insert(given, noTries)).toBe(true);
    given.secret.fill(0);
    given.fingerprint.fill(0);
    const found = await store.find('Miner_1');
    expect(plain(found)).toEqual(plain(miner));
    found!.secret.fill(0);
    found!.fingerprint!.fill(0);
    expect(plain(await opened.again().find('Miner_1'))).toEqual(plain(miner));
    expect(await store.find('miner_1')).toBeUndefined();
    expect(await store.find('')).toBeUndefined();
  });

  it('keeps the first wallet of a name, also of two that come at once', async () => {
    const rows = [wallet('twice', 2), wallet('twice', 3)] as const;
    const inserted = await Promise.all(rows.map((row) => store.insert(row, noTries)));
    expect([...inserted].sort()).toEqual([false, true]);
    expect(plain(await store.find('twice'))).toEqual(plain(rows[inserted.indexOf(true)]));
    expect(await store.insert(wallet('twice', 4), noTries)).toBe(false);
  });

  it('lists names byte by byte', async () => {
    const names = ['b', 'B', '_', '-', '0', 'a0', 'a'];
    for (const name of names) await store.insert(wallet(name, 5), noTries);
    const all = ['-', '0', 'B', 'Miner_1', '_', 'a', 'a0', 'b', 'twice'];
    expect(await store.names()).toEqual(all);
    expect(await opened.again().names()).toEqual(all);
  });

  it('changes the addresses of a wallet, never its kind or its secret; one that is not there stays so', async () => {
    await store.insert(wallet('shape', 6), noTries);
    await store.setAddresses('shape', { isMiner: true, addressCount: 4, activeIndex: 2 });
    expect(plain(await opened.again().find('shape'))).toEqual(
      plain(wallet('shape', 6, { addressCount: 4, activeIndex: 2 })),
    );
    await store.setAddresses('nobody', { isMiner: false, addressCount: 4, activeIndex: 2 });
    expect(await store.find('nobody')).toBeUndefined();
  });

  it('gives a wallet without a fingerprint one; one that is not there stays so', async () => {
    const row = wallet('marked', 10);
    await store.insert(row, noTries);
    expect((await store.find('marked'))!.fingerprint).toBeUndefined();
    const fingerprint = new Uint8Array(32).fill(4);
    await store.setFingerprint('marked', fingerprint);
    await store.setFingerprint('nobody', fingerprint);
    expect(plain(await opened.again().find('marked'))).toEqual(plain({ ...row, fingerprint }));
    expect(await store.find('nobody')).toBeUndefined();
  });

  it('replaces the secret of that wallet and the tries of its password; all else stays', async () => {
    const fingerprint = new Uint8Array(32).fill(5);
    const row = wallet('secret', 11, { addressCount: 5, activeIndex: 3, fingerprint });
    const { secret } = wallet('secret', 12);
    await store.insert(row, noTries);
    await store.setPasswordTries('secret', tries);
    expect(await store.replaceSecret(wallet('secret', 13), secret, noTries)).toBe(false);
    expect(await store.replaceSecret(wallet('nobody', 11), secret, noTries)).toBe(false);
    expect(await store.passwordTries('secret')).toEqual(tries);
    const both = await Promise.all([1, 2].map(() => store.replaceSecret(row, secret, ofOwner)));
    expect([...both].sort()).toEqual([false, true]);
    expect(plain(await opened.again().find('secret'))).toEqual(plain({ ...row, secret }));
    expect(await opened.again().passwordTries('secret')).toEqual(ofOwner);
  });

  it('deletes that wallet, never a later one of the same name', async () => {
    const [first, second] = [wallet('again', 7), wallet('again', 8)];
    await store.insert(first, noTries);
    await store.setPasswordTries('again', tries);
    expect(await store.delete(second)).toBe(false);
    expect(await store.delete(first)).toBe(true);
    expect(await store.delete(first)).toBe(false);
    expect(await store.insert(second, noTries)).toBe(true);
    expect(await store.delete(first)).toBe(false);
    expect(plain(await store.find('again'))).toEqual(plain(second));
    // The new one is another wallet.
    expect(await store.passwordTries('again')).toEqual(noTries);
  });

  it('keeps the tries of passwords of wallets that are there, for the next process too', async () => {
    await store.insert(wallet('guarded', 9), ofOwner);
    expect(await store.passwordTries('guarded')).toEqual(ofOwner);
    await store.setPasswordTries('guarded', tries);
    await store.setAddresses('guarded', { isMiner: false, addressCount: 2, activeIndex: 1 });
    expect(await opened.again().passwordTries('guarded')).toEqual(tries);
    await store.setPasswordTries('stranger', tries);
    expect(await store.passwordTries('stranger')).toEqual(noTries);
  });
};

describe('the store of wallets, embedded', () => keepsWallets(embedded));
describeWithServers(['postgres'], 'the store of wallets, on PostgreSQL', () => keepsWallets(onServer));
describe('the store of wallets, in memory', () => keepsWallets(inMemory));
