import { type BlockHeader, type Block, buildCoinbase, sealBlock, transactionsRoot } from '../block/index.js';
import { type SignatureVerifier } from '../crypto/index.js';
import { parallelNodes, SpentInputsMissing, type ChainReader, type SpentReader } from '../dag/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type AssetLockupScript, blockVersion, type Hash, isIntraGroup } from '../primitives/index.js';
import { type OutputView } from '../state/index.js';
import { type Transaction, type TransactionTemplate, transactionId } from '../transaction/index.js';
import {
  checkCoinbase,
  checkTransaction,
  checkTransactionList,
  completeTemplate,
  type Refusal,
  type ScriptExecutor,
  type Verdict,
} from '../validation/index.js';
import { selectCandidates } from './candidates.js';
import { planTemplate, type TemplatePlan, type TemplateSurroundings } from './template-dependencies.js';

/** What fills a planned template. */
export interface TemplateFilling {
  readonly settings: NetworkSettings;
  readonly reader: ChainReader;
  readonly spent: SpentReader;
  /** The group view at the dependencies of the plan. May throw StateMiss. */
  readonly view: OutputView;
  /** State hash of the world state at the intra-group dependency of the plan (protocol 03 §8.6). */
  readonly depStateHash: Hash;
  /** Ready transactions of the chain in mempool order. */
  readonly candidates: readonly TransactionTemplate[];
  /** Of group `chain.to`. */
  readonly miner: AssetLockupScript;
  readonly minerData?: Uint8Array;
  readonly verifySignature: SignatureVerifier;
  /** Gives a script transaction of an intra-group chain its block form; those that it cannot complete stay out. */
  readonly completeScript?: (template: TransactionTemplate) => Transaction | undefined;
  readonly executor?: ScriptExecutor;
}

/** A header but for its nonce, and its transactions: what a miner works on (protocol 03 §11.1). */
export interface BlockTemplate extends TemplatePlan {
  readonly header: Omit<BlockHeader, 'nonce'>;
  /** The coinbase is the last one. */
  readonly transactions: readonly Transaction[];
  /** Candidates that are invalid on these dependencies: to be removed from the mempool. */
  readonly invalid: readonly { readonly transactionId: Hash; readonly refusal: Refusal }[];
}

const spentInParallel = ({ reader, spent }: TemplateFilling, plan: TemplatePlan): ReadonlySet<string> => {
  const nodes = parallelNodes(
    plan.chain.from,
    plan.bestDeps.map((hash) => reader.node(hash)),
  );
  const missing = nodes.filter((node) => !spent.spentBy(node.hash)).map((node) => node.hash);
  if (missing.length > 0) throw new SpentInputsMissing(missing);
  return new Set(nodes.flatMap((node) => [...spent.spentBy(node.hash)!]));
};

const complete = (filling: TemplateFilling, plan: TemplatePlan, template: TransactionTemplate) => {
  if (!template.unsigned.script) return completeTemplate(template);
  return isIntraGroup(plan.chain) ? filling.completeScript?.(template) : undefined;
};

const surroundingsOf = (filling: TemplateFilling, plan: TemplatePlan) => ({
  settings: filling.settings,
  chainIndex: plan.chain,
  timestamp: plan.timestamp,
  target: plan.target,
  view: filling.view,
  verifySignature: filling.verifySignature,
  executor: filling.executor,
});

/** The candidates in their block form, each judged alone: one that is invalid does not keep the others out. */
const validTransactions = (filling: TemplateFilling, plan: TemplatePlan) => {
  const valid: Transaction[] = [];
  const invalid: { transactionId: Hash; refusal: Refusal }[] = [];
  for (const template of selectCandidates(filling.candidates, filling.view, spentInParallel(filling, plan))) {
    const transaction = complete(filling, plan, template);
    if (!transaction) continue;
    const refusal = checkTransaction({ ...surroundingsOf(filling, plan), transaction, kind: 'block' });
    if (refusal) invalid.push({ transactionId: transactionId(transaction.unsigned), refusal });
    else valid.push(transaction);
  }
  return { valid, invalid };
};

/** The rest of the self-check of protocol 03 §11.1 step 8; the transactions themselves have been judged. */
const selfCheck = (filling: TemplateFilling, plan: TemplatePlan, transactions: readonly Transaction[]): Verdict =>
  checkTransactionList(transactions) ??
  checkCoinbase({ ...surroundingsOf(filling, plan), transaction: transactions.at(-1)! });

/**
 * Fills a planned template (protocol 03 §11.1 steps 5 to 8). Invalid transactions are left out and named; if the rest
 * still fails, the template has no transactions. Throws StateMiss, SpentInputsMissing, and a fault when not even the
 * coinbase alone is valid (e.g. a miner address of the wrong group).
 */
export const fillTemplate = (plan: TemplatePlan, filling: TemplateFilling): BlockTemplate => {
  const { settings, miner, minerData, depStateHash } = filling;
  const { chain, timestamp, target, blockDeps } = plan;
  const coinbase = buildCoinbase(settings, chain, timestamp, target, miner, minerData);
  const { valid, invalid } = validTransactions(filling, plan);
  let transactions: readonly Transaction[] = [...valid, coinbase];
  if (selfCheck(filling, plan, transactions)) {
    transactions = [coinbase];
    const refusal = selfCheck(filling, plan, transactions);
    if (refusal) throw new Error(`no template for chain (${chain.from},${chain.to}): ${refusal.code}`);
  }
  const txsHash = transactionsRoot(transactions);
  const header = { version: blockVersion, blockDeps, depStateHash, txsHash, timestamp, target };
  return { ...plan, header, transactions, invalid };
};

/** What `buildTemplate` needs: the view and state hash are asked for once the dependencies are chosen. */
export interface TemplateContext extends TemplateSurroundings, Omit<TemplateFilling, 'view' | 'depStateHash'> {
  readonly viewAt: (deps: readonly Hash[]) => OutputView;
  readonly depStateHashAt: (intraGroupDep: Hash) => Hash;
}

/** A template in one call, for callers whose state is in memory; others load between `planTemplate` and `fillTemplate`. */
export const buildTemplate = (context: TemplateContext): BlockTemplate => {
  const plan = planTemplate(context);
  const intraGroupDep = plan.blockDeps[context.settings.groups - 1 + plan.chain.from]!;
  const view = context.viewAt(plan.blockDeps);
  return fillTemplate(plan, { ...context, view, depStateHash: context.depStateHashAt(intraGroupDep) });
};

/** The block of a template once its nonce is found (24 bytes). */
export const blockOfTemplate = (template: BlockTemplate, nonce: Uint8Array, settings: NetworkSettings): Block =>
  sealBlock({ ...template.header, nonce }, template.transactions, settings.groups);
