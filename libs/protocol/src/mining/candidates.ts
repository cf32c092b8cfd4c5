import { maximalGasPerBlock, maximalTxsInOneBlock, minimalGas, referenceId } from '../primitives/index.js';
import { type OutputView } from '../state/index.js';
import { type TransactionTemplate } from '../transaction/index.js';

/** Maximum number of transactions considered for a template (protocol 02 §14.1 point 1). */
export const maxCandidates = 1000;

/** Room in a block besides the coinbase (decision 16). */
export const templateLimits = { transactions: maximalTxsInOneBlock - 1, gas: maximalGasPerBlock - minimalGas } as const;

const inputIds = ({ unsigned }: TransactionTemplate): string[] =>
  unsigned.inputs.map((input) => referenceId(input.outputReference));

/** Drops a transaction that shares an input with an earlier one, or with itself. */
const withoutDoubleSpending = (candidates: readonly TransactionTemplate[]): TransactionTemplate[] => {
  const spent = new Set<string>();
  return candidates.filter((candidate) => {
    const ids = new Set(inputIds(candidate));
    if (ids.size < candidate.unsigned.inputs.length || [...ids].some((id) => spent.has(id))) return false;
    for (const id of ids) spent.add(id);
    return true;
  });
};

/** The longest prefix within both limits; smaller transactions after it are not tried (protocol 02 §14.1 point 5). */
export const longestPrefix = <T extends TransactionTemplate>(
  candidates: readonly T[],
  limits: { readonly transactions: number; readonly gas: number },
): T[] => {
  let gas = 0;
  const taken: T[] = [];
  for (const candidate of candidates) {
    gas += candidate.unsigned.gasAmount;
    if (taken.length >= limits.transactions || gas > limits.gas) break;
    taken.push(candidate);
  }
  return taken;
};

/**
 * The transactions that a template tries (protocol 02 §14.1).
 * @param candidates ready entries of the chain in mempool order
 * @param view the view at the loosened dependencies; may throw StateMiss
 * @param conflicting reference ids spent by the parallel blocks of the un-loosened dependencies
 */
export const selectCandidates = (
  candidates: readonly TransactionTemplate[],
  view: OutputView,
  conflicting: ReadonlySet<string>,
): TransactionTemplate[] => {
  const possible = withoutDoubleSpending(candidates.slice(0, maxCandidates)).filter(
    (candidate) =>
      candidate.unsigned.inputs.every((input) => view.output(input.outputReference) !== undefined) &&
      !inputIds(candidate).some((id) => conflicting.has(id)),
  );
  return longestPrefix(possible, templateLimits);
};
