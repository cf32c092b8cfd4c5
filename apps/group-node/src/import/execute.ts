import { type Block } from '@shardnode/protocol/block';
import {
  applyChanges,
  hasOutput,
  stateChanges,
  stateHash,
  touchedStateKeys,
  type WorldState,
} from '@shardnode/protocol/state';
import { type GroupMemory } from '../memory/group-memory.js';
import { type StateCommit } from '../store/index.js';
import { type OwnView } from '../view/own-view.js';
import { turnAfterStep } from './turns.js';

export interface Executed {
  readonly state: WorldState;
  readonly commit: StateCommit;
}

/**
 * Step 3, own intra-group blocks only: the world state after the block (protocol 03 §8.5). A spent output that is not
 * there is a fault: the block stays undecided (§8.8 rule c).
 */
export const execute = async (memory: GroupMemory, block: Block, { state, pending }: OwnView): Promise<Executed> => {
  const { group, settings, nodes } = memory;
  const blocks = [...pending, block];
  await turnAfterStep(block);
  await memory.loadKeys(state.outputRoot, touchedStateKeys(group, settings.groups, blocks));
  await turnAfterStep(block);
  return memory.loaded(() => {
    const changes = stateChanges(group, settings.groups, blocks, (ref) => hasOutput(nodes, state.outputRoot, ref));
    const applied = applyChanges(nodes, state, changes);
    const { outputRoot, contractRoot } = applied.state;
    const commit: StateCommit = {
      outputRoot,
      contractRoot,
      stateHash: stateHash(applied.state),
      addedNodes: applied.added,
      replacedNodes: applied.replaced,
      removed: changes.removed,
      added: changes.added,
    };
    return { state: applied.state, commit };
  });
};
