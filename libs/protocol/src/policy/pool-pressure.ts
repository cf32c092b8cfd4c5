import { type TransactionTemplate } from '../transaction/index.js';
import { type Mempool } from './mempool.js';

/** Parts of the capacity from which on a new transaction may have so many unmined ancestors (decision 12). */
const pressureLevels = [
  { from: 3 / 4, ancestorLimit: 0 },
  { from: 1 / 2, ancestorLimit: 25 },
] as const;

/** Part of the capacity for incoming transactions; each sibling has an equal share of it. */
const incomingPart = 1 / 4;

/** Why the pool takes no such transaction now; nothing of it is stored. */
export type PressureRefusal =
  | { readonly kind: 'full' }
  /** It has more than `ancestorLimit` unmined ancestors. */
  | { readonly kind: 'ancestors'; readonly ancestorLimit: (typeof pressureLevels)[number]['ancestorLimit'] };

/**
 * Whether the pool takes a new outgoing transaction (decision 12). Below half of the capacity it takes all. A chain of
 * dependent transactions leaves by one for each block, so it gets no more than half of the places; the last quarter is
 * for transactions that the next block can mine. Not asked for transactions that were accepted before
 * (`Mempool.restore`).
 */
export const refusalUnderPressure = (pool: Mempool, template: TransactionTemplate): PressureRefusal | undefined => {
  const { size, capacity } = pool;
  if (size >= capacity) return { kind: 'full' };
  const level = pressureLevels.find(({ from }) => size >= from * capacity);
  if (!level) return undefined;
  const { ancestorLimit } = level;
  return pool.ancestorCount(template, ancestorLimit + 1) > ancestorLimit
    ? { kind: 'ancestors', ancestorLimit }
    : undefined;
};

/** Incoming transactions that the pool shows of one sibling; at least one. */
export const incomingShare = ({ capacity, groups }: Pick<Mempool, 'capacity' | 'groups'>): number =>
  Math.ceil((incomingPart * capacity) / Math.max(1, groups - 1));

/**
 * Why the pool takes no new incoming transaction of a sibling (decision 12): it is full, as for a client's submit, or the
 * sibling has its share. The limits on ancestors do not apply: its inputs are of another group, so none is here. One that
 * is not taken is shown when it is mined.
 */
export const incomingRefusal = (pool: Mempool, from: number): 'full' | 'share' | undefined => {
  if (pool.size >= pool.capacity) return 'full';
  return pool.countOf({ from, to: pool.group }) < incomingShare(pool) ? undefined : 'share';
};
