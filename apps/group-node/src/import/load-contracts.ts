import { type Block } from '@shardnode/protocol/block';
import { outputStateKey, type OutputView, readOutput } from '@shardnode/protocol/state';
import { type Output, type Transaction } from '@shardnode/protocol/transaction';
import { blockEnvironmentOf, scriptExecutor, withContracts } from '@shardnode/protocol/validation';
import { type GroupMemory } from '../memory/group-memory.js';
import { contractLayer } from '../view/contract-view.js';
import { type OwnView } from '../view/own-view.js';

/** Contracts whose assets the block says it moves: they will be read, so all of them are loaded at once. */
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

const previousOutputs = (
  view: OutputView,
  { unsigned, contractInputs }: Transaction,
): readonly Output[] | undefined => {
  const references = [...unsigned.inputs.map(({ outputReference }) => outputReference), ...contractInputs];
  const outputs = references.map((reference) => view.output(reference));
  return outputs.every((output) => output !== undefined) ? outputs : undefined;
};

/**
 * Brings what the scripts of a block read into memory, by running them one after the other, with nothing to keep: a
 * script that misses something runs again alone. The rules, which run all scripts without a wait, would start over with
 * the first one at each miss.
 */
export const loadReadContracts = async (memory: GroupMemory, block: Block, { state, view }: OwnView): Promise<void> => {
  const contracts = contractLayer(memory, state);
  const executor = scriptExecutor(blockEnvironmentOf(memory.settings, block.header), contracts);
  for (const transaction of block.transactions) {
    const { script, gasAmount } = transaction.unsigned;
    if (!script) continue;
    await memory.loaded(() => {
      const outputs = previousOutputs(withContracts(view, contracts), transaction);
      // The rules will refuse the block.
      if (!outputs) return;
      const run = { transaction, previousOutputs: outputs, gasLimit: gasAmount };
      const outcome = executor.runTransactionScript(run);
      if (outcome.kind === 'succeeded') outcome.keep();
    });
  }
};
