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

/** What the service counts: the balance at the ends of the hours or days in which it changed. Milliseconds since 1970, attoCoin. */
export interface AmountHistory {
  readonly amountHistory: readonly (readonly [number, string])[];
}

/**
 * The balance since a time, oldest first: by transactions as far as they are listed, before them as the service counts it.
 * @param from milliseconds since 1970
 * @param listed what `balancesOf` says
 * @param counted undefined: the listed ones are all, or reach back to `from`
 */
export const balancesSince = (
  from: number,
  listed: readonly BalancePoint[],
  counted: AmountHistory | undefined,
): readonly BalancePoint[] => {
  const oldest = listed[0]?.timestamp ?? Infinity;
  const older = (counted?.amountHistory ?? [])
    .filter(([timestamp]) => timestamp < oldest)
    .map(([timestamp, balance]) => ({ timestamp, balance: BigInt(balance) }));
  const points = [...older, ...listed];
  const before = points.findLast(({ timestamp }) => timestamp <= from)?.balance;
  const balance = before ?? (counted === undefined ? listed[0]?.balance : undefined) ?? 0n;
  return [{ timestamp: from, balance }, ...points.filter(({ timestamp }) => timestamp > from)];
};
