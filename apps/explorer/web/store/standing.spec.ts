import { expect, it } from '@jest/globals';
import { type PendingTransaction, type Transaction } from './forms.js';
import { type Seen, standingOf, type TransactionAnswer, withAnswer } from './standing.js';

const pending = { type: 'Pending' } as PendingTransaction;
const inBlock = (blockHash: string, blockHeight: number) => ({ blockHash, blockHeight }) as Transaction;
const present = { isMissing: false, hasLeft: false };
const seenOf = (...answers: readonly TransactionAnswer[]): Seen => answers.reduce(withAnswer, {});
const [first, second] = [
  { hash: 'aa', height: 7 },
  { hash: 'bb', height: 8 },
];

it('follows a transaction from the mempool into its block', () => {
  expect(standingOf(pending, seenOf(pending), present)).toEqual({ state: 'pending', replaced: undefined });
  const mined = inBlock('aa', 7);
  expect(standingOf(mined, seenOf(pending, mined, mined), present)).toEqual({
    state: 'confirmed',
    replaced: undefined,
  });
});

it('says which block was replaced, while it is looked for, waits again, and has another block', () => {
  const [mined, again] = [inBlock('aa', 7), inBlock('bb', 8)];
  const left = { isMissing: false, hasLeft: true };
  expect(standingOf(mined, seenOf(mined), left)).toEqual({ state: 'moved', replaced: first });
  expect(standingOf(pending, seenOf(mined, pending), present)).toEqual({ state: 'pending', replaced: first });
  expect(standingOf(again, seenOf(mined, pending, again), present)).toEqual({ state: 'confirmed', replaced: first });
  expect(standingOf(mined, seenOf(mined, again, mined), present)).toEqual({ state: 'confirmed', replaced: second });
});

it('is not found any more when it has left the mempool without a block', () => {
  const missing = { isMissing: true, hasLeft: false };
  expect(standingOf(pending, seenOf(pending), missing)).toEqual({ state: 'gone', replaced: undefined });
  const mined = inBlock('aa', 7);
  expect(standingOf(pending, seenOf(mined, pending), missing)).toEqual({ state: 'gone', replaced: first });
  expect(standingOf(mined, seenOf(mined), missing)).toEqual({ state: 'moved', replaced: first });
});
