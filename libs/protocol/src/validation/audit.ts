import { type SealedHeader, transactionsRoot } from '../block/index.js';
import { type SignatureVerifier } from '../crypto/index.js';
import { type NetworkSettings } from '../network/index.js';
import { isIntraGroup } from '../primitives/index.js';
import { type OutputView } from '../state/index.js';
import { type Transaction } from '../transaction/index.js';
import { checkCoinbase, existInvalidTransaction } from './coinbase.js';
import { checkBlockDoubleSpending } from './double-spending.js';
import { firstRefusal, type Rule, type Verdict } from './outcome.js';
import { required, grouped } from './rule-tables.js';
import { type Steps } from './steps.js';
import { beginExamination, type TransactionContext } from './transaction-context.js';
import { transactionListChecks } from './transaction-list.js';
import { checksBeforeScript, checkTransaction } from './transaction.js';
import { blockEnvironmentOf, scriptExecutor } from './vm-executor.js';

/** A block of any chain, and the outputs that its transactions spend. */
export interface AuditContext {
  readonly settings: NetworkSettings;
  readonly header: SealedHeader;
  /** The coinbase is the last one. */
  readonly transactions: readonly Transaction[];
  /** Outputs that a transaction of the block may spend: those that exist, and that only this transaction spends. */
  readonly viewOf: (transaction: Transaction) => OutputView;
  readonly verifySignature: SignatureVerifier;
}

const noOutputs: OutputView = { output: () => undefined };

const surroundings = ({ settings, header, verifySignature }: AuditContext) => ({
  settings,
  chainIndex: header.chainIndex,
  timestamp: header.timestamp,
  target: header.target,
  verifySignature,
  executor: scriptExecutor(blockEnvironmentOf(settings, header), undefined),
});

/** Without the state of contracts the script of a transaction cannot run: all rules before it. */
const checkWithoutRun = (context: TransactionContext): Verdict =>
  context.transaction.unsigned.script !== undefined && isIntraGroup(context.chainIndex)
    ? firstRefusal(checksBeforeScript, beginExamination(context))
    : checkTransaction(context);

/** Rows 2 to 6 and 9 of protocol 03 §6.2. */
const auditFormChecks: readonly Rule<AuditContext>[] = [
  required('EmptyTransactionList', ({ transactions }) => transactions.length > 0),
  grouped('transaction list', ({ transactions }) => firstRefusal(transactionListChecks, transactions)),
  required('InvalidTxsMerkleRoot', ({ header, transactions }) => header.txsHash === transactionsRoot(transactions)),
  grouped('BlockDoubleSpending', ({ transactions }) => checkBlockDoubleSpending(transactions)),
];

/**
 * The rules of the body of a block that need no state of contracts: the list of transactions, each transaction with its
 * inputs, balances and unlock scripts, and the coinbase (protocol 03 §6.2 rows 2 to 6 and 9 to 11). Scripts of
 * transactions are not run: what they take from contracts and generate counts as it is written, and must balance. Blocks
 * between two groups have no such scripts, and are judged by all rules.
 *
 * Each transaction is a step that yields its gas.
 */
export function* auditSteps(context: AuditContext): Steps<Verdict> {
  const refusal = firstRefusal(auditFormChecks, context);
  if (refusal) return refusal;
  const { transactions, viewOf } = context;
  const common = surroundings(context);
  for (const transaction of transactions.slice(0, -1)) {
    yield transaction.unsigned.gasAmount;
    const reason = checkWithoutRun({ ...common, transaction, view: viewOf(transaction), kind: 'block' });
    if (reason) return existInvalidTransaction(transaction, reason);
  }
  return checkCoinbase({ ...common, transaction: transactions.at(-1)!, view: noOutputs });
}
