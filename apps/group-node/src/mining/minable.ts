import { type OutputView } from '@shardnode/protocol/state';
import { type ChainIndex } from '@shardnode/protocol/primitives';
import { type TransactionTemplate } from '@shardnode/protocol/transaction';
import { type GroupState } from '../view/group-state.js';

/** Whether all inputs exist for a block made now. May throw StateMiss. */
export const hasInputs = (template: TransactionTemplate, view: OutputView): boolean =>
  template.unsigned.inputs.every((input) => view.output(input.outputReference) !== undefined);

/** Own chains on which a block made now would contain a pooled transaction. */
export const minableChains = async ({ group, settings, memory, pool, shown }: GroupState): Promise<ChainIndex[]> => {
  const chains = Array.from({ length: settings.groups }, (_, to) => ({ from: group, to }));
  const { view } = shown.plain;
  return memory.loaded(() =>
    chains.filter((chain) => pool.ready(chain).some(({ template }) => hasInputs(template, view))),
  );
};
