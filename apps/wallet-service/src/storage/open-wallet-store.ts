import {
  type Database,
  keepWriter,
  type KeptWriter,
  logRestore,
  processHolder,
  withReasons,
} from '@shardnode/core/database';
import { serviceError } from '@shardnode/messages';
import { type ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { PrismaClient } from '../generated/prisma/client.js';
import { walletMigrations } from './migrations.js';
import { prismaWalletStore } from './prisma-wallet-store.js';
import { type WalletStore } from './wallet-store.js';

export interface WalletStoreParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Another process has become the writer of the wallets: this one must end. */
  readonly onFatal: (error: Error) => void;
}

/** The wallets' store, and the lock that excludes a second wallet-service. */
export interface OwnedStore {
  readonly store: WalletStore;
  /** Takes the lock, then migrates. DatabaseError `WriterExists` names the holder. */
  open(): Promise<void>;
  notReadyBecause(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The error of callers while the database fails. */
const storeUnavailable = (reason: string, cause: unknown): ServiceError =>
  Object.assign(
    serviceError('StoreUnavailable', `the store of the wallet-service cannot be used: ${reason}`, {
      reason,
    }),
    { cause },
  );

/** The wallets of a database. Nothing is connected before `open`. */
export const walletStoreOver = ({ database, clock, logger, onFatal }: WalletStoreParts): OwnedStore => {
  const prisma = new PrismaClient({ adapter: database.prismaAdapter() });
  const { ping, ...store } = withReasons(
    { ...prismaWalletStore(prisma), ping: async () => prisma.$queryRaw`SELECT 1` },
    storeUnavailable,
  );
  const holder = processHolder('wallet-service');
  let writer: KeptWriter | undefined;
  return {
    store,
    open: async () => {
      writer = await keepWriter(database, { holder, clock, logger, onFatal });
      await database.migrate(walletMigrations);
      await logRestore(database, logger);
    },
    notReadyBecause: async () => {
      await ping();
      return writer?.isHeld === true ? undefined : "it does not hold the writer's lock of its database";
    },
    close: async () => {
      await prisma.$disconnect();
      await writer?.close();
    },
  };
};

/** A store that no other process can open. */
export const ownStore = (store: WalletStore): OwnedStore => ({
  store,
  open: async () => undefined,
  notReadyBecause: async () => undefined,
  close: async () => undefined,
});
