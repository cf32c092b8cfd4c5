import { type PasswordFailures, type WalletRow, type WalletStore } from '@shardnode/wallet-service';
import { copyOfBytes } from './memory-disk.js';
import { type StoreTimes, turns } from './store-times.js';

/** What a wallet-service has committed, by name: it outlives the service, as a disk does. */
export class WalletDisk {
  readonly wallets = new Map<string, WalletRow>();
  /** Of the wallets that are there. */
  readonly failures = new Map<string, PasswordFailures>();
}

const copyOf = (row: WalletRow): WalletRow => ({
  ...row,
  secret: copyOfBytes(row.secret),
  ...(row.fingerprint && { fingerprint: copyOfBytes(row.fingerprint) }),
});

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * The store of a wallet-service over a disk in memory: the same contract as over a database. What is written takes effect in one
 * turn, after `times.write`, and is answered after `times.acknowledge`.
 */
export const openMemoryWallets = ({ wallets, failures }: WalletDisk, times: StoreTimes = turns): WalletStore => {
  const look = async <Value>(read: () => Value): Promise<Value> => {
    await times.read();
    return read();
  };
  const change = async <Value>(what: string, carryOut: () => Value): Promise<Value> => {
    await times.write();
    const result = carryOut();
    times.written?.(what);
    await times.acknowledge();
    return result;
  };
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
    setAddresses: (name, { addressCount, activeIndex }) =>
      change(`addresses of ${name}`, () => {
        const row = wallets.get(name);
        if (row) wallets.set(name, { ...row, addressCount, activeIndex });
      }),
    setFingerprint: (name, fingerprint) => {
      const kept = copyOfBytes(fingerprint);
      return change(`fingerprint of ${name}`, () => {
        const row = wallets.get(name);
        if (row) wallets.set(name, { ...row, fingerprint: kept });
      });
    },
    replaceSecret: ({ name, secret: before }, secret) => {
      const kept = copyOfBytes(secret);
      return change(`secret of ${name}`, () => {
        const row = wallets.get(name);
        if (!row || Buffer.compare(row.secret, before) !== 0) return false;
        wallets.set(name, { ...row, secret: kept });
        failures.delete(name);
        return true;
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
