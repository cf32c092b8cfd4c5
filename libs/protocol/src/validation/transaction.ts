import { balanceChecks } from './balances.js';
import { firstRefusal, type Rule, type Verdict } from './outcome.js';
import { scriptChecks } from './script-rules.js';
import { shapeChecks } from './shape.js';
import { beginExamination, type TransactionContext, type TransactionExamination } from './transaction-context.js';
import { unlockChecks } from './unlocking.js';

/** The transaction law in its order (protocol 02 §9.2 to §9.6). */
export const transactionChecks: readonly Rule<TransactionExamination>[] = [
  ...shapeChecks,
  ...balanceChecks,
  ...unlockChecks,
  ...scriptChecks,
];

/**
 * Runs the law and gives the verdict with the gas that unlocking left (before the script). The state changes of a
 * successful script are kept when, and only when, the transaction is valid.
 */
export const examineTransaction = (
  context: TransactionContext,
): { readonly verdict: Verdict; readonly gasLeft: number } => {
  const examination = beginExamination(context);
  const verdict = firstRefusal(transactionChecks, examination);
  if (!verdict && examination.scriptOutcome?.kind === 'succeeded') examination.scriptOutcome.keep();
  return { verdict, gasLeft: examination.gasLeft };
};

/**
 * Whether a transaction is valid on a chain: of a block (kind `block`, `coinbase`) or, without script, in the mempool
 * (`checkAdmission` is the whole of admission). Asset outputs of the same block are not in the view (protocol 02 §9.1).
 */
export const checkTransaction = (context: TransactionContext): Verdict => examineTransaction(context).verdict;
