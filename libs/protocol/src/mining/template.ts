import { type Block, type BlockHeader, buildCoinbase, sealBlock, transactionsRoot } from '../block/index.js';
import { type SignatureVerifier } from '../crypto/index.js';
import { parallelNodes, SpentInputsMissing, type ChainReader, type SpentReader } from '../dag/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type AssetLockupScript, blockVersion, type Hash, isIntraGroup } from '../primitives/index.js';
import { type ContractLayer, type OutputView } from '../state/index.js';
import { type Transaction, type TransactionTemplate, transactionId } from '../transaction/index.js';
import { completeTemplate, nextBlockEnvironment } from '../policy/index.js';
import {
  checkCoinbase,
  checkTransaction,
  checkTransactionList,
  type Refusal,
  runSteps,
  scriptExecutor,
  type Steps,
  type TransactionContext,
  untilLoaded,
  type Verdict,
  withContracts,
} from '../validation/index.js';
import { selectCandidates } from './candidates.js';
import { completeScript, type Completion } from './script-completion.js';
import { planTemplate, type TemplatePlan, type TemplateSurroundings } from './template-dependencies.js';

/** Content for a planned template. */
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
  /** A new layer over the contracts at the intra-group dependency of the plan, for each pass over the candidates. */
  readonly newContracts: () => ContractLayer;
}

/** A header without its nonce, and its transactions, for mining (protocol 03 §11.1). */
export interface BlockTemplate extends TemplatePlan {
  readonly header: Omit<BlockHeader, 'nonce'>;
  /** The coinbase is the last one. */
  readonly transactions: readonly Transaction[];
  /** Candidates that are invalid on these dependencies; the caller removes them from the mempool. */
  readonly invalid: readonly InvalidCandidate[];
}

/** A pooled transaction that no block on these dependencies can contain. */
interface InvalidCandidate {
  readonly transactionId: Hash;
  readonly refusal: Refusal;
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

/** The context for validating a transaction; scripts change `contracts` for later ones. */
const surroundingsOf = (
  { settings, view, verifySignature, newContracts }: TemplateFilling,
  { chain, timestamp, target }: TemplatePlan,
): Omit<TransactionContext, 'transaction' | 'kind'> & { readonly target: number } => {
  const contracts = isIntraGroup(chain) ? newContracts() : undefined;
  // The hash is not known yet, and scripts that read it are excluded. So they behave the same in the final block.
  const block = nextBlockEnvironment(settings, chain.from, timestamp, target);
  return {
    settings,
    chainIndex: chain,
    timestamp,
    target,
    view: contracts ? withContracts(view, contracts) : view,
    verifySignature,
    executor: scriptExecutor(block, contracts),
  };
};

type Surroundings = ReturnType<typeof surroundingsOf>;

const complete = (template: TransactionTemplate, surroundings: Surroundings): Completion =>
  template.unsigned.script && isIntraGroup(surroundings.chainIndex)
    ? completeScript(template, surroundings)
    : { kind: 'completed', transaction: completeTemplate(template), keep: () => undefined };

interface Judged {
  readonly valid: readonly Transaction[];
  readonly invalid: readonly InvalidCandidate[];
}

interface JudgedInOrder extends Judged {
  /** Refused, but only after a run of a script that is now excluded. */
  readonly uncertain: readonly Hash[];
}

/**
 * Validates the candidates in their block form, in order and independently: an invalid one does not exclude the others.
 * Scripts run twice, to determine their outcome and under block validation, each time on separate contracts.
 */
function* judgeInOrder(
  filling: TemplateFilling,
  plan: TemplatePlan,
  candidates: readonly TransactionTemplate[],
): Steps<JudgedInOrder> {
  const completing = surroundingsOf(filling, plan);
  const judging = surroundingsOf(filling, plan);
  const valid: Transaction[] = [];
  const invalid: InvalidCandidate[] = [];
  const uncertain: Hash[] = [];
  let isScriptOut = false;
  for (const template of candidates) {
    const { script, gasAmount } = template.unsigned;
    if (script) yield gasAmount;
    const completion = yield* untilLoaded(() => complete(template, completing));
    yield gasAmount;
    const refusal =
      completion.kind === 'unminable'
        ? completion.refusal
        : yield* untilLoaded(() =>
            checkTransaction({ ...judging, transaction: completion.transaction, kind: 'block' }),
          );
    if (completion.kind === 'completed' && !refusal) {
      completion.keep();
      valid.push(completion.transaction);
    } else if (refusal) {
      const id = transactionId(template.unsigned);
      if (script && isScriptOut) uncertain.push(id);
      else invalid.push({ transactionId: id, refusal });
      isScriptOut ||= script !== undefined;
    }
  }
  return { valid, invalid, uncertain };
}

/** Passes over the candidates with scripts; after them, only those without. */
const passesWithScripts = 3;

/**
 * The cost of a script can depend on earlier ones, failed ones included (protocol 05 §6.10). If one is excluded, the
 * rest is validated again without it, and a script refused after it is not reported as invalid. A script that is
 * refused again after another excluded one waits for the next template.
 */
function* validTransactions(filling: TemplateFilling, plan: TemplatePlan): Steps<Judged> {
  let candidates = selectCandidates(filling.candidates, filling.view, spentInParallel(filling, plan));
  const invalid: InvalidCandidate[] = [];
  for (let pass = 1; ; pass++) {
    const judged = yield* judgeInOrder(filling, plan, candidates);
    invalid.push(...judged.invalid);
    const waiting = pass > 1 ? judged.uncertain : [];
    const out = new Set([...judged.invalid.map((each) => each.transactionId), ...waiting]);
    const isOut = ({ unsigned }: TransactionTemplate): boolean => out.has(transactionId(unsigned));
    if (!candidates.some((candidate) => candidate.unsigned.script && isOut(candidate)))
      return { valid: judged.valid, invalid };
    candidates = candidates.filter(
      (candidate) => !isOut(candidate) && (pass < passesWithScripts || !candidate.unsigned.script),
    );
  }
}

/** The rest of the self-check of protocol 03 §11.1 step 8; the transactions are validated already. */
const selfCheck = (filling: TemplateFilling, plan: TemplatePlan, transactions: readonly Transaction[]): Verdict =>
  checkTransactionList(transactions) ??
  checkCoinbase({ ...surroundingsOf(filling, plan), transaction: transactions.at(-1)! });

/**
 * Fills a planned template (protocol 03 §11.1 steps 5 to 8). Invalid transactions are excluded and reported; if the
 * rest still fails, the template has no transactions. Each run of a transaction is a step. Throws StateMiss,
 * SpentInputsMissing, and a fault when not even the coinbase alone is valid (e.g. a miner address of the wrong group).
 */
export function* templateSteps(plan: TemplatePlan, filling: TemplateFilling): Steps<BlockTemplate> {
  const { settings, miner, minerData, depStateHash } = filling;
  const { chain, timestamp, target, blockDeps } = plan;
  const coinbase = buildCoinbase(settings, chain, timestamp, target, miner, minerData);
  const { valid, invalid } = yield* validTransactions(filling, plan);
  let transactions: readonly Transaction[] = [...valid, coinbase];
  if (selfCheck(filling, plan, transactions)) {
    transactions = [coinbase];
    const refusal = selfCheck(filling, plan, transactions);
    if (refusal) throw new Error(`no template for chain (${chain.from},${chain.to}): ${refusal.code}`);
  }
  const txsHash = transactionsRoot(transactions);
  const header = { version: blockVersion, blockDeps, depStateHash, txsHash, timestamp, target };
  return { ...plan, header, transactions, invalid };
}

/** Context of `buildTemplate`: it reads view, contracts and state hash after it has chosen the dependencies. */
export interface TemplateContext
  extends TemplateSurroundings, Omit<TemplateFilling, 'view' | 'depStateHash' | 'newContracts'> {
  readonly viewAt: (deps: readonly Hash[]) => OutputView;
  readonly depStateHashAt: (intraGroupDep: Hash) => Hash;
  /** Returns a new layer at each call. */
  readonly contractsAt: (intraGroupDep: Hash) => ContractLayer;
}

/** A template in one call, for callers whose state is in memory; others load between `planTemplate` and `templateSteps`. */
export const buildTemplate = (context: TemplateContext): BlockTemplate => {
  const plan = planTemplate(context);
  const intraGroupDep = plan.blockDeps[context.settings.groups - 1 + plan.chain.from]!;
  const view = context.viewAt(plan.blockDeps);
  const newContracts = (): ContractLayer => context.contractsAt(intraGroupDep);
  const depStateHash = context.depStateHashAt(intraGroupDep);
  return runSteps(templateSteps(plan, { ...context, view, newContracts, depStateHash }));
};

/** The block of a template once its nonce is found (24 bytes). */
export const blockOfTemplate = (template: BlockTemplate, nonce: Uint8Array, settings: NetworkSettings): Block =>
  sealBlock({ ...template.header, nonce }, template.transactions, settings.groups);
