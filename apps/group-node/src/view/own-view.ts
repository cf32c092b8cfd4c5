import { type Block } from '@shardnode/protocol/block';
import { blocksForStateView } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { type GroupView, groupView, readOutput, type WorldState } from '@shardnode/protocol/state';
import { type GroupMemory } from '../memory/group-memory.js';

/** The view of the own group at some dependencies (protocol 03 §8.3), with its parts. */
export interface OwnView {
  /** The intra-group dependency and its world state. */
  readonly base: Hash;
  readonly state: WorldState;
  /** L in order (protocol 03 §8.2), and blocks that the caller appended. */
  readonly pending: readonly Block[];
  readonly view: GroupView;
}

/**
 * The view at `dependencies`, a block's or the best ones. `appended`: incoming blocks that the dependencies do not
 * include yet, for queries only (protocol 03 §12.6). Throws DataMissing, and `StateNotAvailable` for a pruned state;
 * reads of the view throw StateMiss.
 */
export const ownView = (
  memory: GroupMemory,
  dependencies: readonly Hash[],
  appended: readonly Hash[] = [],
): OwnView => {
  const { group, settings, dag, nodes, horizon } = memory;
  const base = dependencies[settings.groups - 1 + group]!;
  horizon.require(base);
  const { state } = memory.states.need(base);
  const pending = memory.blocks.need([...blocksForStateView(dag, group, dependencies), ...appended]);
  const view = groupView(group, settings.groups, (ref) => readOutput(nodes, state.outputRoot, ref), pending);
  return { base, state, pending, view };
};
