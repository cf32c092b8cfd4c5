import { type AnyTransaction, receivers } from './payments.js';

/** Outputs of a payment that nobody may spend yet. */
export interface Locks {
  /** How many are locked, at least one. */
  readonly locked: number;
  /** How many outputs the receivers got. */
  readonly of: number;
  /** When the first and the last of them can be spent, milliseconds since 1970. */
  readonly first: number;
  readonly last: number;
}

/** What was paid: without change, unless all of it is. */
const paidOutputs = (transaction: AnyTransaction): AnyTransaction['outputs'] => {
  const to = new Set(receivers(transaction));
  return transaction.outputs.filter(({ address }) => to.has(address));
};

/** @param time milliseconds since 1970; undefined result: all of what was paid is free then */
export const locksAt = (transaction: AnyTransaction, time: number): Locks | undefined => {
  const paid = paidOutputs(transaction);
  const times = paid.flatMap(({ lockTime = 0 }) => (lockTime > time ? [lockTime] : []));
  if (times.length === 0) return undefined;
  return { locked: times.length, of: paid.length, first: Math.min(...times), last: Math.max(...times) };
};

/**
 * Since when all of what was paid can be spent, if none of it is locked any more.
 * @param arrived when a block of the receiving group took it in, milliseconds since 1970
 */
export const spendableSince = (transaction: AnyTransaction, arrived: number): number =>
  Math.max(arrived, locksAt(transaction, arrived)?.last ?? arrived);
