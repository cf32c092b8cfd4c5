import { type Transaction } from './forms.js';
import { changes, isKnownAt } from './payments.js';

/** The balance of an address from a moment on. */
export interface BalancePoint {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  /** attoCoin. */
  readonly balance: bigint;
}

/**
 * The balance after each of some transactions, attoCoin; undefined from the first one on of which it is not known what it
 * changed.
 * @param balance after the newest, attoCoin
 */
export const balancesAfter = (
  balance: bigint,
  newestFirst: readonly Transaction[],
  own: string,
): readonly (bigint | undefined)[] => {
  let after: bigint | undefined = balance;
  return newestFirst.map((transaction) => {
    const shown = after;
    if (!isKnownAt(transaction, own)) after = undefined;
    const change = changes(transaction).find(({ address, token }) => address === own && token === undefined);
    if (after !== undefined) after -= change?.amount ?? 0n;
    return shown;
  });
};

/**
 * The balance before the oldest of some transactions, and after each of them, oldest first, as far as it is known.
 * @param balance after the newest, attoCoin
 */
export const balancesOf = (balance: bigint, newestFirst: readonly Transaction[], own: string): BalancePoint[] => {
  const oldest = newestFirst.at(-1);
  if (oldest === undefined) return [];
  // What was before the oldest is what is after the one before it, which is not in the list.
  const all = balancesAfter(balance, [...newestFirst, oldest], own);
  const times = [...newestFirst, oldest].map(({ timestamp }) => timestamp);
  const points = all.flatMap((each, i) => (each === undefined ? [] : [{ timestamp: times[i]!, balance: each }]));
  return points.reverse();
};
