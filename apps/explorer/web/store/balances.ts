import { type Transaction } from './forms.js';
import { changes } from './payments.js';

/** The balance of an address from a moment on. */
export interface BalancePoint {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** attoCoin. */
  readonly balance: bigint;
}

/**
 * The balance before the oldest of some transactions, and after each of them, oldest first.
 * @param balance after the newest, attoCoin
 */
export const balancesOf = (balance: bigint, newestFirst: readonly Transaction[], own: string): BalancePoint[] => {
  const points: BalancePoint[] = [];
  let after = balance;
  for (const transaction of newestFirst) {
    points.push({ timestamp: transaction.timestamp, balance: after });
    const change = changes(transaction).find(({ address, token }) => address === own && token === undefined);
    after -= change?.amount ?? 0n;
  }
  const oldest = newestFirst.at(-1);
  return oldest === undefined ? [] : [...points, { timestamp: oldest.timestamp, balance: after }].reverse();
};
