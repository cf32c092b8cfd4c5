import { prismaBytes as bytes } from '@shardnode/core/database';
import { type PrismaClient, type Wallet } from '../generated/prisma/client.js';
import { type ClientTries, noTries, type PasswordTries } from '../keys/password-guard.js';
import { type WalletRow, type WalletStore } from './wallet-store.js';

const rowOf = ({ name, isMiner, addressCount, activeIndex, secret, fingerprint }: Wallet): WalletRow => ({
  name,
  isMiner,
  addressCount,
  activeIndex,
  secret,
  ...(fingerprint && { fingerprint }),
});

const columnsOf = ({ clients, strangersBlockedUntil }: PasswordTries) => ({
  passwordClients: clients.map((one) => ({ ...one })),
  blockedUntil: BigInt(strangersBlockedUntil),
});

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * The wallets of a database. Each method is one statement, so none needs a transaction: the condition of a write (no
 * such name yet, an unchanged secret) is part of the statement.
 */
export const prismaWalletStore = ({ wallet }: PrismaClient): WalletStore => ({
  insert: async ({ secret, fingerprint, ...row }, tries) => {
    const data = {
      ...row,
      secret: bytes(secret),
      fingerprint: fingerprint && bytes(fingerprint),
      ...columnsOf(tries),
    };
    return (await wallet.createMany({ data, skipDuplicates: true })).count === 1;
  },
  find: async (name) => {
    const found = await wallet.findUnique({ where: { name } });
    return found ? rowOf(found) : undefined;
  },
  // Sorted here: the database would sort by its own collation.
  names: async () => (await wallet.findMany({ select: { name: true } })).map(({ name }) => name).sort(byBytes),
  setAddresses: async (name, { addressCount, activeIndex }) => {
    await wallet.updateMany({ where: { name }, data: { addressCount, activeIndex } });
  },
  setFingerprint: async (name, fingerprint) => {
    await wallet.updateMany({ where: { name }, data: { fingerprint: bytes(fingerprint) } });
  },
  replaceSecret: async ({ name, secret: former }, secret, tries) => {
    const data = { secret: bytes(secret), ...columnsOf(tries) };
    return (await wallet.updateMany({ where: { name, secret: bytes(former) }, data })).count === 1;
  },
  delete: async ({ name, secret }) => (await wallet.deleteMany({ where: { name, secret: bytes(secret) } })).count === 1,
  passwordTries: async (name) => {
    const found = await wallet.findUnique({ where: { name }, select: { passwordClients: true, blockedUntil: true } });
    if (!found) return noTries;
    const clients = found.passwordClients as unknown as readonly ClientTries[];
    return { clients, strangersBlockedUntil: Number(found.blockedUntil) };
  },
  setPasswordTries: async (name, tries) => {
    await wallet.updateMany({ where: { name }, data: columnsOf(tries) });
  },
});
