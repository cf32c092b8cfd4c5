import { type PendingTransaction, type Transaction } from './forms.js';

export type TransactionAnswer = Transaction | PendingTransaction;

export const isPending = (transaction: TransactionAnswer): transaction is PendingTransaction =>
  transaction.type === 'Pending';

/** A block that held a transaction. */
export interface Held {
  readonly hash: string;
  readonly height: number;
}

/** The blocks in which a page has seen a transaction: of now or of last, and before it. */
export interface Seen {
  readonly last?: Held;
  readonly before?: Held;
}

/** What an answer adds to what was seen. */
export const withAnswer = (seen: Seen, answer: TransactionAnswer): Seen => {
  if (isPending(answer) || answer.blockHash === seen.last?.hash) return seen;
  return { last: { hash: answer.blockHash, height: answer.blockHeight }, before: seen.last };
};

/**
 * How a transaction stands. `moved`: its block has left its chain, and no other block or mempool is known to have it.
 * `gone`: it waited, and has left the mempools without a block.
 */
export interface Standing {
  readonly state: 'pending' | 'confirmed' | 'moved' | 'gone';
  /** The block that held it before, and was replaced by a reorganisation. */
  readonly replaced?: Held;
}

/**
 * @param answer the newest answer that had the transaction
 * @param isMissing whether the explorer has it no more
 * @param hasLeft whether the block of the answer has left its chain
 */
export const standingOf = (
  answer: TransactionAnswer,
  seen: Seen,
  { isMissing, hasLeft }: { readonly isMissing: boolean; readonly hasLeft: boolean },
): Standing => {
  if (isPending(answer)) return { state: isMissing ? 'gone' : 'pending', replaced: seen.last };
  if (isMissing || hasLeft) return { state: 'moved', replaced: seen.last };
  return { state: 'confirmed', replaced: seen.before };
};
