import { type PasswordFailures, type WalletRow, type WalletStore } from '@shardnode/wallet-service';
import { copyOfBytes } from './memory-disk.js';
import { immediate, type StoreTimes } from './store-times.js';

/** Committed data of a wallet-service, by name: it outlives the service, as a disk does. */
export class WalletDisk {
  readonly wallets = new Map<string, WalletRow>();
  /** Wrong passwords of the existing wallets. */
  readonly failures = new Map<string, PasswordFailures>();
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
export const openMemoryWallets = ({ wallets, failures }: WalletDisk, times: StoreTimes = immediate): WalletStore => {
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
    insert: (row) => {
      const kept = copyOf(row);
      return change(`wallet ${row.name}`, () => {
        if (wallets.has(row.name)) return false;
        wallets.set(row.name, kept);
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
    replaceSecret: ({ name, secret: before }, secret) => {
      const kept = copyOfBytes(secret);
      return update('secret', name, (row) => {
        if (Buffer.compare(row.secret, before) !== 0) return undefined;
        failures.delete(name);
        return { ...row, secret: kept };
      });
    },
    delete: ({ name, secret }) =>
      change(`delete ${name}`, () => {
        const row = wallets.get(name);
        if (!row || Buffer.compare(row.secret, secret) !== 0) return false;
        failures.delete(name);
        return wallets.delete(name);
      }),
    failures: (name) => look(() => ({ ...(failures.get(name) ?? { count: 0, blockedUntil: 0 }) })),
    setFailures: (name, { count, blockedUntil }) =>
      change(`failures of ${name}`, () => {
        if (wallets.has(name)) failures.set(name, { count, blockedUntil });
      }),
  };
};
