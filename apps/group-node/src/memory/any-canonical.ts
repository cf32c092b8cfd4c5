import { type GroupMemory } from './group-memory.js';
import { type TransactionLocation } from '../store/index.js';

/** Whether one of the blocks is known and canonical, stored or not. */
export const anyCanonical = (
  { dag, loaded }: Pick<GroupMemory, 'dag' | 'loaded'>,
  locations: readonly TransactionLocation[],
): Promise<boolean> =>
  loaded(() => locations.some(({ blockHash }) => dag.has(blockHash) && dag.isCanonical(blockHash)));
