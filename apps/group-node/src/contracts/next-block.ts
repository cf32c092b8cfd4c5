import { expectedTarget } from '@shardnode/protocol/dag';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { nextBlockEnvironment } from '@shardnode/protocol/policy';
import { type BlockEnvironment } from '@shardnode/protocol/vm';
import { type GroupMemory } from '../memory/group-memory.js';

/** The block data that a script would see in a block mined now on an own chain. `now`: milliseconds since 1970. */
export const nextBlockOf = (
  { dag, settings, group }: GroupMemory,
  chain: ChainIndex,
  bestDependencies: readonly Hash[],
  now: bigint,
): BlockEnvironment =>
  nextBlockEnvironment(settings, group, now, expectedTarget(dag, settings, chain, bestDependencies));
