import { type Block } from '@shardnode/protocol/block';
import { outputStateKey, type OutputView, readOutput, StateMiss } from '@shardnode/protocol/state';
import { type Output, type Transaction } from '@shardnode/protocol/transaction';
import { scriptExecutor, type Steps, withContracts } from '@shardnode/protocol/validation';
import { type BlockEnvironment } from '@shardnode/protocol/vm';
import { type GroupMemory } from '../memory/group-memory.js';
import { inTurns, keepTurns } from '../turns.js';
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

/** Scripts that run one after the other on the contracts of a state. */
export interface ScriptRuns {
  readonly environment: BlockEnvironment;
  readonly transactions: readonly Transaction[];
  readonly view: Pick<OwnView, 'state' | 'view'>;
}

/**
 * Brings what scripts read into memory, by running them with nothing to keep: a script that misses something runs again
 * alone.
 */
export const loadReadContracts = async (memory: GroupMemory, runs: ScriptRuns): Promise<void> => {
  const { environment, transactions, view } = runs;
  const contracts = contractLayer(memory, view.state);
  const executor = scriptExecutor(environment, contracts);
  const beforeRun = keepTurns();
  for (const transaction of transactions) {
    const { script, gasAmount } = transaction.unsigned;
    if (!script) continue;
    await beforeRun(gasAmount);
    await memory.loaded(() => {
      const outputs = previousOutputs(withContracts(view.view, contracts), transaction);
      // The rules will refuse it.
      if (!outputs) return;
      const run = { transaction, previousOutputs: outputs, gasLimit: gasAmount };
      const outcome = executor.runTransactionScript(run);
      if (outcome.kind === 'succeeded') outcome.keep();
    });
  }
};

/**
 * The steps of a block or a template that runs all of `runs`, with turns for others between them. When they miss something,
 * what the scripts read is loaded script by script: the steps would start over with the first one at each miss.
 */
export const runScriptsInTurns = async <Result>(
  memory: GroupMemory,
  runs: ScriptRuns,
  begin: () => Steps<Result>,
): Promise<Result> => {
  const release = memory.hold();
  try {
    return await inTurns(begin());
  } catch (missed) {
    // Anything else that can be missing, as the inputs of blocks after a restart, the repetition loads; a fault it throws again.
    if (missed instanceof StateMiss) await loadReadContracts(memory, runs);
    return await memory.loadedInTurns(begin);
  } finally {
    release();
  }
};
