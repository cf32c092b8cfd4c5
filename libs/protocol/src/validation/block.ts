import { type Block, transactionsRoot } from '../block/index.js';
import { type SignatureVerifier } from '../crypto/index.js';
import { findFlowConflict, type HeaderReader, spentReferences, type SpentReader } from '../dag/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type ContractLayer, type OutputView } from '../state/index.js';
import { type Transaction } from '../transaction/index.js';
import { type BlockRole } from './block-role.js';
import { checkCoinbase, existInvalidTransaction } from './coinbase.js';
import { withContracts } from './contract-view.js';
import { checkBlockDoubleSpending } from './double-spending.js';
import { firstRefusal, type Refusal, refuse, type Rule, type Verdict } from './outcome.js';
import { grouped, required } from './rule-tables.js';
import { runSteps, type Steps, untilLoaded } from './steps.js';
import { transactionListChecks } from './transaction-list.js';
import { checkTransaction } from './transaction.js';
import { blockEnvironmentOf, scriptExecutor } from './vm-executor.js';

/** A block with a valid header, and the context for validating its body. */
export interface BlockContext {
  readonly settings: NetworkSettings;
  readonly reader: HeaderReader;
  /** Own chains only. */
  readonly spent: SpentReader;
  readonly role: BlockRole;
  readonly block: Block;
  readonly verifySignature: SignatureVerifier;
  /** The group view at the dependencies of the block (protocol 03 §8.3); own chains only. May throw StateMiss. */
  readonly view?: OutputView;
  /**
   * The layer over the contracts at the dependencies of the block; own intra-group chains only. Valid scripts leave
   * their changes in it: after a valid verdict `contracts.changes()` has the changes of the block.
   */
  readonly contracts?: ContractLayer;
  /** As in `TransactionContext`. */
  readonly onFailedScript?: ((transaction: Transaction, failure: Refusal) => void) | undefined;
}

const onlyOwn =
  (check: (context: BlockContext) => Verdict) =>
  (context: BlockContext): Verdict =>
    context.role === 'own' ? check(context) : undefined;

const checkFlowConflict = ({ reader, spent, block }: BlockContext): Verdict => {
  const { hash, chainIndex, blockDeps } = block.header;
  const references = spentReferences(block.transactions);
  const conflict = findFlowConflict(reader, spent, { hash, group: chainIndex.from, deps: blockDeps, references });
  return conflict && refuse('InvalidFlowTxs', `${conflict.blocks.join(' and ')} both spend ${conflict.referenceId}`);
};

/** The rules of a block that need no view of the state (protocol 03 §6.2 rows 1 to 7). */
const blockFormChecks: readonly Rule<BlockContext>[] = [
  /* 1 */ required('InvalidGroup', ({ role }) => role !== 'foreign'),
  /* 2 */ required('EmptyTransactionList', ({ block }) => block.transactions.length > 0),
  /* 3 to 5 */ grouped('transaction list', ({ block }) => firstRefusal(transactionListChecks, block.transactions)),
  /* 6 */ required(
    'InvalidTxsMerkleRoot',
    ({ block }) => block.header.txsHash === transactionsRoot(block.transactions),
  ),
  /* 7 */ grouped('InvalidFlowTxs', onlyOwn(checkFlowConflict)),
];

/** Row 8: a fault, not a refusal, where the caller could not build the view. */
const viewOf = ({ view, block, contracts }: BlockContext): OutputView => {
  if (!view) throw new Error(`block ${block.header.hash} of an own chain is checked without a view`);
  return contracts ? withContracts(view, contracts) : view;
};

const surroundings = (context: BlockContext) => ({
  settings: context.settings,
  chainIndex: context.block.header.chainIndex,
  timestamp: context.block.header.timestamp,
  target: context.block.header.target,
  view: viewOf(context),
  verifySignature: context.verifySignature,
  executor: scriptExecutor(blockEnvironmentOf(context.settings, context.block.header), context.contracts),
});

/** In list order: a later script sees the contract changes of an earlier one. */
function* transactionSteps(context: BlockContext): Steps<Verdict> {
  const common = { ...surroundings(context), kind: 'block' as const };
  for (const transaction of context.block.transactions.slice(0, -1)) {
    yield transaction.unsigned.gasAmount;
    const onFailedScript = (failure: Refusal): void => context.onFailedScript?.(transaction, failure);
    const reason = yield* untilLoaded(() => checkTransaction({ ...common, transaction, onFailedScript }));
    if (reason) return existInvalidTransaction(transaction, reason);
  }
  return undefined;
}

const checkLastTransaction = (context: BlockContext): Verdict =>
  checkCoinbase({ ...surroundings(context), transaction: context.block.transactions.at(-1)! });

/** A rule that is checked in steps. */
interface SteppedRule {
  readonly name: string;
  readonly steps: (context: BlockContext) => Steps<Verdict>;
}

/** The rules of a block of an own chain that read the state (protocol 03 §6.2 rows 8 to 11). */
const blockBodyChecks: readonly (Rule<BlockContext> | SteppedRule)[] = [
  /*  8 */ grouped('the view is there, else a fault', (context) => void viewOf(context)),
  /*  9 */ grouped('BlockDoubleSpending', ({ block }) => checkBlockDoubleSpending(block.transactions)),
  /* 10 */ { name: 'ExistInvalidTx', steps: transactionSteps },
  /* 11 */ grouped('the coinbase (protocol 03 §10.1)', checkLastTransaction),
];

/** Rows 1 to 7: before the view is loaded. May throw SpentInputsMissing. */
export const checkBlockForm = (context: BlockContext): Verdict => firstRefusal(blockFormChecks, context);

/**
 * Rows 8 to 11, for blocks of own chains; none for others. Each transaction is a step, and is repeated after a
 * StateMiss. After any other StateMiss the caller starts again, on a new layer of contracts.
 */
export function* blockBodySteps(context: BlockContext): Steps<Verdict> {
  if (context.role !== 'own') return undefined;
  for (const rule of blockBodyChecks) {
    const verdict = 'steps' in rule ? yield* rule.steps(context) : rule.check(context);
    if (verdict) return verdict;
  }
  return undefined;
}

/** All steps of `blockBodySteps` at once. */
const checkBlockBody = (context: BlockContext): Verdict => runSteps(blockBodySteps(context));

/** All of protocol 03 §6.2 after the header checks. May throw SpentInputsMissing and StateMiss. */
export const checkBlock = (context: BlockContext): Verdict => checkBlockForm(context) ?? checkBlockBody(context);
