import { balanceChecks } from './balances.js';
import { firstRefusal, type Rule, type Verdict } from './outcome.js';
import { scriptChecks } from './script-rules.js';
import { shapeChecks } from './shape.js';
import { beginExamination, type TransactionContext, type TransactionExamination } from './transaction-context.js';
import { unlockChecks } from './unlocking.js';

/** All rules but those about the script itself (protocol 02 §9.2 to §9.5). */
export const checksBeforeScript: readonly Rule<TransactionExamination>[] = [
  ...shapeChecks,
  ...balanceChecks,
  ...unlockChecks,
];

/** The transaction law in its order (protocol 02 §9.2 to §9.6). */
const transactionChecks: readonly Rule<TransactionExamination>[] = [...checksBeforeScript, ...scriptChecks];

export interface Examined {
  readonly verdict: Verdict;
  /** What unlocking left, before the script. */
  readonly gasLeft: number;
  /** Of a valid transaction, its script included; a script that fails leaves nothing. */
  readonly gasUsed: number;
}

const gasAfterScript = ({ scriptOutcome, gasLeft }: TransactionExamination): number => {
  if (!scriptOutcome) return gasLeft;
  return scriptOutcome.kind === 'succeeded' ? scriptOutcome.gasLeft : 0;
};

/**
 * Runs the law and gives the verdict, and what it found out about the gas. The state changes of a successful script are
 * kept when, and only when, the transaction is valid.
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
