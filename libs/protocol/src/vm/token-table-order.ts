import { type Hash } from '../primitives/index.js';
import { type Token } from '../transaction/index.js';
import { type BalanceEntry } from './balance-list.js';

/** The last 4 bytes of the id, mixed with their own upper half; signed 32-bit. */
const mixed = (id: Hash): number => {
  const tail = parseInt(id.slice(-8), 16);
  return tail ^ (tail >>> 16);
};

/**
 * The tokens of an entry in the order of a hash table with `entry.tokenPlaces` places: by place, then by the mixed
 * number, then by insertion. The order only determines which amounts are lost when a sum overflows, which no valid
 * transaction reaches (protocol 05 §18 item 9).
 */
export const tokensInTableOrder = (entry: BalanceEntry): Token[] => {
  const place = (hash: number): number => hash & (entry.tokenPlaces - 1);
  return [...entry.tokens]
    .map(([id, amount]) => ({ id, amount, hash: mixed(id) }))
    .sort((a, b) => place(a.hash) - place(b.hash) || a.hash - b.hash)
    .map(({ id, amount }) => ({ id, amount }));
};
