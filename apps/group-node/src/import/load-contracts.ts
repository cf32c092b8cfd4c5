import { type Block } from '@shardnode/protocol/block';
import { outputStateKey, readOutput } from '@shardnode/protocol/state';
import { type GroupMemory } from '../memory/group-memory.js';
import { type OwnView } from '../view/own-view.js';

/** Loads in one batch the contracts whose assets the block moves, because their rules will read them. */
export const loadNamedContracts = async (memory: GroupMemory, block: Block, { state }: OwnView): Promise<void> => {
  const references = block.transactions.flatMap(({ contractInputs }) => contractInputs);
  if (references.length === 0) return;
  await memory.loadKeys(state.outputRoot, references.map(outputStateKey));
  const ids = await memory.loaded(() =>
    references.flatMap((reference) => {
      const output = readOutput(memory.nodes, state.outputRoot, reference);
      return output?.kind === 'contract' ? [output.contractId] : [];
    }),
  );
  await memory.loadContracts(state, ids);
};
