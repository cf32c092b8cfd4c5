import { balanceChecks } from './balances.js';
import { firstRefusal, type Rule, type Verdict } from './outcome.js';
import { scriptChecks } from './script-rules.js';
import { shapeChecks } from './shape.js';
import { beginExamination, type TransactionContext, type TransactionExamination } from './transaction-context.js';
import { unlockChecks } from './unlocking.js';

/** All rules except those on the script itself (protocol 02 §9.2 to §9.5). */
export const checksBeforeScript: readonly Rule<TransactionExamination>[] = [
  ...shapeChecks,
  ...balanceChecks,
  ...unlockChecks,
];

/** The transaction rules in their order (protocol 02 §9.2 to §9.6). */
const transactionChecks: readonly Rule<TransactionExamination>[] = [...checksBeforeScript, ...scriptChecks];

export interface Examined {
  readonly verdict: Verdict;
  /** Gas left after unlocking, before the script. */
  readonly gasLeft: number;
  /** Gas used by a valid transaction, including its script; a failed script uses all gas. */
  readonly gasUsed: number;
}

const gasAfterScript = ({ scriptOutcome, gasLeft }: TransactionExamination): number => {
  if (!scriptOutcome) return gasLeft;
  return scriptOutcome.kind === 'succeeded' ? scriptOutcome.gasLeft : 0;
};

/**
 * Runs the rules and returns the verdict and the gas. The state changes of a successful script are kept if and only if
 * the transaction is valid.
 */
export const examineTransaction = (context: TransactionContext): Examined => {
  const examination = beginExamination(context);
  const verdict = firstRefusal(transactionChecks, examination);
  if (!verdict && examination.scriptOutcome?.kind === 'succeeded') examination.scriptOutcome.keep();
  const gasUsed = context.transaction.unsigned.gasAmount - gasAfterScript(examination);
  return { verdict, gasLeft: examination.gasLeft, gasUsed };
};

/**
 * Whether a transaction is valid on a chain: of a block (kind `block`, `coinbase`) or, without script, in the mempool
 * (`checkAdmission` is the whole of admission). Asset outputs of the same block are not in the view (protocol 02 §9.1).
 */
export const checkTransaction = (context: TransactionContext): Verdict => examineTransaction(context).verdict;
