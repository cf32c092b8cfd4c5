import { type Block } from '@shardnode/protocol/block';
import {
  applyChanges,
  type ContractChanges,
  hasOutput,
  stateChanges,
  stateHash,
  touchedContractKeys,
  touchedStateKeys,
  type WorldState,
} from '@shardnode/protocol/state';
import { type GroupMemory } from '../memory/group-memory.js';
import { type StateCommit } from '../store/index.js';
import { type OwnView } from '../view/own-view.js';
import { recordedEvents } from './recorded-events.js';
import { yieldAfterStep } from '../event-loop/yielding.js';

export interface Executed {
  readonly state: WorldState;
  readonly commit: StateCommit;
}

/**
 * Step 3, own intra-group blocks only: the world state after the block (protocol 03 §8.5). An absent spent output is a
 * fault: the block stays undecided (§8.8 rule c).
 * @param contracts changes of contracts by its scripts, from step 2
 */
export const execute = async (
  memory: GroupMemory,
  block: Block,
  { state, pending }: OwnView,
  contracts: ContractChanges,
): Promise<Executed> => {
  const { group, settings, nodes } = memory;
  const blocks = [...pending, block];
  const { outputKeys, contractKeys } = touchedContractKeys(contracts);
  // A small block can include many blocks that are not in the world state.
  await yieldAfterStep(...blocks);
  await memory.loadKeys(state.outputRoot, [...touchedStateKeys(group, settings.groups, blocks), ...outputKeys]);
  await memory.loadKeys(state.contractRoot, contractKeys);
  await yieldAfterStep(...blocks);
  const changes = await memory.loaded(() =>
    stateChanges(group, settings.groups, blocks, (ref) => hasOutput(nodes, state.outputRoot, ref)),
  );
  await yieldAfterStep(...blocks);
  return memory.loaded(() => {
    const applied = applyChanges(nodes, state, changes, contracts);
    const { outputRoot, contractRoot } = applied.state;
    const commit: StateCommit = {
      outputRoot,
      contractRoot,
      stateHash: stateHash(applied.state),
      addedNodes: applied.added,
      replacedNodes: applied.replaced,
      removed: changes.removed,
      added: changes.added,
      immutable: contracts.immutable,
      events: recordedEvents(contracts.events),
    };
    return { state: applied.state, commit };
  });
};
