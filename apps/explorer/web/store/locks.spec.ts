import { describe, expect, it } from '@jest/globals';
import { type Transaction } from './forms.js';
import { locksAt, spendableSince } from './locks.js';

const made = (outputs: readonly (readonly [address: string, lockTime?: number])[], from = ['anna']): Transaction =>
  ({
    inputs: from.map((address) => ({ address })),
    outputs: outputs.map(([address, lockTime]) => ({ address, lockTime })),
  }) as unknown as Transaction;

describe('locked outputs of a payment', () => {
  it('are free without a lock, and from the moment of the lock on', () => {
    expect(locksAt(made([['bert']]), 100)).toBeUndefined();
    expect(locksAt(made([['bert', 100]]), 100)).toBeUndefined();
    expect(locksAt(made([['bert', 101]]), 100)).toEqual({ locked: 1, of: 1, first: 101, last: 101 });
  });

  it('are counted among what the receivers got, without change', () => {
    const payment = made([['bert', 300], ['carl'], ['carl', 200], ['anna', 900]]);
    expect(locksAt(payment, 100)).toEqual({ locked: 2, of: 3, first: 200, last: 300 });
    expect(locksAt(payment, 250)).toEqual({ locked: 1, of: 3, first: 300, last: 300 });
    expect(locksAt(payment, 300)).toBeUndefined();
  });

  it('are all of a payment to oneself, and the reward of a miner', () => {
    expect(locksAt(made([['anna', 200], ['anna']]), 100)).toMatchObject({ locked: 1, of: 2 });
    expect(locksAt(made([['miner', 200]], []), 100)).toMatchObject({ locked: 1, of: 1 });
  });

  it('can be spent since the later of arrival and lock', () => {
    expect(spendableSince(made([['bert']]), 100)).toBe(100);
    expect(spendableSince(made([['bert', 50]]), 100)).toBe(100);
    expect(
      spendableSince(
        made([
          ['bert', 150],
          ['carl', 170],
        ]),
        100,
      ),
    ).toBe(170);
  });
});
