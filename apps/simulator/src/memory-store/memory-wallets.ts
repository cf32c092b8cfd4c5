import { noTries, type PasswordTries, type WalletRow, type WalletStore } from '@shardnode/wallet-service';
import { copyOfBytes } from './memory-disk.js';
import { immediate, type StoreTimes } from './store-times.js';

/** Committed data of a wallet-service, by name: it outlives the service, as a disk does. */
export class WalletDisk {
  readonly wallets = new Map<string, WalletRow>();
  /** Tries of passwords of the existing wallets. */
  readonly tries = new Map<string, PasswordTries>();
}

const copyOf = (row: WalletRow): WalletRow => ({
  ...row,
  secret: copyOfBytes(row.secret),
  ...(row.fingerprint && { fingerprint: copyOfBytes(row.fingerprint) }),
});

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Makes a change in one event-loop tick, at the times of a disk. */
const writerOf =
  (times: StoreTimes) =>
  async <Value>(what: string, carryOut: () => Value): Promise<Value> => {
    await times.write();
    const result = carryOut();
    times.written?.(what);
    await times.acknowledge();
    return result;
  };

/**
 * The store of a wallet-service over a disk in memory: the same contract as over a database. A write takes effect in
 * one event-loop tick, after `times.write`, and is acknowledged after `times.acknowledge`.
 */
export const openMemoryWallets = ({ wallets, tries }: WalletDisk, times: StoreTimes = immediate): WalletStore => {
  const look = async <Value>(read: () => Value): Promise<Value> => {
    await times.read();
    return read();
  };
  const change = writerOf(times);
  /** Whether the wallet exists and `next` has changed it. */
  const update = (what: string, name: string, next: (row: WalletRow) => WalletRow | undefined): Promise<boolean> =>
    change(`${what} of ${name}`, () => {
      const row = wallets.get(name);
      const changed = row && next(row);
      if (changed) wallets.set(name, changed);
      return changed !== undefined;
    });
  return {
    insert: (row, triesOf) => {
      const kept = copyOf(row);
      return change(`wallet ${row.name}`, () => {
        if (wallets.has(row.name)) return false;
        wallets.set(row.name, kept);
        tries.set(row.name, triesOf);
        return true;
      });
    },
    find: (name) =>
      look(() => {
        const row = wallets.get(name);
        return row && copyOf(row);
      }),
    names: () => look(() => [...wallets.keys()].sort(byBytes)),
    setAddresses: async (name, { addressCount, activeIndex }) => {
      await update('addresses', name, (row) => ({ ...row, addressCount, activeIndex }));
    },
    setFingerprint: async (name, fingerprint) => {
      const kept = copyOfBytes(fingerprint);
      await update('fingerprint', name, (row) => ({ ...row, fingerprint: kept }));
    },
    replaceSecret: ({ name, secret: before }, secret, triesOf) => {
      const kept = copyOfBytes(secret);
      return update('secret', name, (row) => {
        if (Buffer.compare(row.secret, before) !== 0) return undefined;
        tries.set(name, triesOf);
        return { ...row, secret: kept };
      });
    },
    delete: ({ name, secret }) =>
      change(`delete ${name}`, () => {
        const row = wallets.get(name);
        if (!row || Buffer.compare(row.secret, secret) !== 0) return false;
        tries.delete(name);
        return wallets.delete(name);
      }),
    passwordTries: (name) => look(() => tries.get(name) ?? noTries),
    setPasswordTries: (name, next) =>
      change(`tries of ${name}`, () => {
        if (wallets.has(name)) tries.set(name, next);
      }),
  };
};
