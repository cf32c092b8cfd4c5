import { prismaBytes as bytes } from '@shardnode/core/database';
import { type PrismaClient, type Wallet } from '../generated/prisma/client.js';
import { type WalletRow, type WalletStore } from './wallet-store.js';

const rowOf = ({ name, isMiner, addressCount, activeIndex, secret, fingerprint }: Wallet): WalletRow => ({
  name,
  isMiner,
  addressCount,
  activeIndex,
  secret,
  ...(fingerprint && { fingerprint }),
});

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * The wallets of a database. Each method is one statement, so none needs a transaction: the condition of a write (no
 * such name yet, an unchanged secret) is part of the statement.
 */
export const prismaWalletStore = ({ wallet }: PrismaClient): WalletStore => ({
  insert: async ({ secret, fingerprint, ...row }) => {
    const data = { ...row, secret: bytes(secret), fingerprint: fingerprint && bytes(fingerprint) };
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
  replaceSecret: async ({ name, secret: former }, secret) => {
    const data = { secret: bytes(secret), passwordFailures: 0, blockedUntil: 0n };
    return (await wallet.updateMany({ where: { name, secret: bytes(former) }, data })).count === 1;
  },
  delete: async ({ name, secret }) => (await wallet.deleteMany({ where: { name, secret: bytes(secret) } })).count === 1,
  failures: async (name) => {
    const found = await wallet.findUnique({ where: { name }, select: { passwordFailures: true, blockedUntil: true } });
    return { count: found?.passwordFailures ?? 0, blockedUntil: Number(found?.blockedUntil ?? 0n) };
  },
  setFailures: async (name, { count, blockedUntil }) => {
    await wallet.updateMany({
      where: { name },
      data: { passwordFailures: count, blockedUntil: BigInt(blockedUntil) },
    });
  },
});
