import { type Hash } from '@shardnode/protocol/primitives';
import { type IndexTransaction } from './index-transaction.js';
import { type LedgerSlice, type SliceTransaction } from './ledger-slice.js';
import { loadOutputs, loadTransactionsOfInputs } from './load-slice.js';

/**
 * Resolves what new transactions make resolvable (protocol 08 §4.5 steps 4 and 5): inputs of stored transactions that
 * waited for one of the new outputs, then the new inputs. The new outputs are in the slice. An input whose output is
 * nowhere stays unresolved.
 */
export const resolveInputs = async (
  transaction: IndexTransaction,
  slice: LedgerSlice,
  added: readonly SliceTransaction[],
): Promise<void> => {
  const created = new Set<Hash>(added.flatMap(({ outputs }) => outputs.map(({ key }) => key)));
  await loadTransactionsOfInputs(transaction, slice, 'unresolvedInputs', [...created]);
  const late = [...slice.transactions.values()].filter(({ storedParts }) => storedParts !== undefined);
  const newInputs = added.flatMap(({ inputs }) => inputs);
  await loadOutputs(
    transaction,
    slice,
    newInputs.map(({ key }) => key).filter((key) => !created.has(key)),
  );
  const waiting = late.flatMap(({ inputs }) => inputs).filter(({ key, output }) => !output && created.has(key));
  for (const input of [...waiting, ...newInputs]) {
    const output = slice.outputOfKey(input.key);
    if (output) slice.spend(input, output);
  }
};
