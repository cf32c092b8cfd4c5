import { type NodeReads } from '../view/reads.js';

/** Age of the oldest pending transaction, in seconds; 0 when nothing is pending. */
export const oldestPending = ({ state, clock }: Pick<NodeReads, 'state' | 'clock'>): number => {
  const since = state.pool.oldest();
  return since === undefined ? 0 : Math.max(0, clock.now() - Number(since)) / 1000;
};
