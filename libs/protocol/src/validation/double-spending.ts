import { referenceId } from '../primitives/index.js';
import { type Transaction, type UnsignedTransaction } from '../transaction/index.js';
import { buildAgain } from './detail-words.js';
import { refuse, type Verdict } from './outcome.js';

/** Whether an output reference occurs twice among the inputs, inside one transaction too. Contract inputs do not count. */
export const hasDoubleSpending = (transactions: readonly UnsignedTransaction[]): boolean => {
  const spent = new Set<string>();
  let count = 0;
  for (const { inputs } of transactions) {
    for (const { outputReference } of inputs) spent.add(referenceId(outputReference));
    count += inputs.length;
  }
  return spent.size < count;
};

/** Which two inputs of a transaction, of which `hasDoubleSpending` is true, spend the same output. */
export const doubleSpendingDetail = ({ inputs }: UnsignedTransaction): string => {
  const ids = inputs.map(({ outputReference }) => referenceId(outputReference));
  const second = ids.findIndex((id, index) => ids.indexOf(id) < index);
  const { key } = inputs[second]!.outputReference;
  return `inputs ${ids.indexOf(ids[second]!) + 1} and ${second + 1} of ${inputs.length} spend the same output, ${key}: ${buildAgain}`;
};

/** protocol 02 §9.1 row 8, 03 §6.2 check 9: `transactions` are those of a block; its last, the coinbase, does not count. */
export const checkBlockDoubleSpending = (transactions: readonly Transaction[]): Verdict =>
  hasDoubleSpending(transactions.slice(0, -1).map(({ unsigned }) => unsigned))
    ? refuse('BlockDoubleSpending')
    : undefined;
