import { type Hash, u256Max } from '../primitives/index.js';
import { type Output, outputsOf } from '../transaction/index.js';
import { feeOf, takesPreapprovedAssets } from './failed-script.js';
import { refuse, type Rule, type Verdict } from './outcome.js';
import { grouped, required } from './rule-tables.js';
import { type TransactionExamination } from './transaction-context.js';

/** The outputs that the inputs and contract inputs spend, in order; undefined when the view lacks one. */
const findPreviousOutputs = ({ transaction, view }: TransactionExamination): Output[] | undefined => {
  const found: Output[] = [];
  for (const { outputReference } of transaction.unsigned.inputs) {
    const output = view.output(outputReference);
    if (output?.kind !== 'asset') return undefined;
    found.push(output);
  }
  for (const reference of transaction.contractInputs) {
    const output = view.output(reference);
    if (!output) return undefined;
    found.push(output);
  }
  return found;
};

/** protocol 02 §9.4 step 1: keeps the outputs for the rules that follow. */
export const existenceCheck: Rule<TransactionExamination> = required('NonExistInput', (examination) => {
  const found = findPreviousOutputs(examination);
  if (found) examination.previousOutputs = found;
  return found !== undefined;
});

const sumOfCoin = (outputs: readonly Output[]): bigint => {
  let sum = 0n;
  for (const output of outputs) sum += output.amount;
  return sum;
};

const checkCoin = ({ transaction, previousOutputs, coinbaseExtra }: TransactionExamination): Verdict => {
  const incoming = sumOfCoin(previousOutputs) + (coinbaseExtra ?? 0n);
  const outgoing = sumOfCoin(outputsOf(transaction)) + feeOf(transaction.unsigned);
  if (incoming > u256Max || outgoing > u256Max) return refuse('BalanceOverFlow');
  return incoming === outgoing ? undefined : refuse('InvalidCoinBalance');
};

const sumOfTokens = (outputs: readonly Output[]): Map<Hash, bigint> => {
  const sums = new Map<Hash, bigint>();
  for (const { tokens } of outputs) {
    for (const { id, amount } of tokens) sums.set(id, (sums.get(id) ?? 0n) + amount);
  }
  return sums;
};

const overflows = (sums: ReadonlyMap<Hash, bigint>): boolean => [...sums.values()].some((sum) => sum > u256Max);

/** A script with approved assets that succeeded may issue a new token and may burn a part of a token. */
const checkTokens = ({ transaction, previousOutputs }: TransactionExamination): Verdict => {
  const incoming = sumOfTokens(previousOutputs);
  const outgoing = sumOfTokens(outputsOf(transaction));
  if (overflows(incoming) || overflows(outgoing)) return refuse('BalanceOverFlow');
  const loose = transaction.scriptExecutionOk && takesPreapprovedAssets(transaction.unsigned.script);
  for (const [id, sum] of outgoing) {
    const available = incoming.get(id);
    const balanced = loose ? available === undefined || sum <= available : sum === available;
    if (!balanced) return refuse('InvalidTokenBalance');
  }
  return undefined;
};

/** Inputs and balances: rules over the outputs that are spent, in this order (protocol 02 §9.4). */
export const balanceChecks: readonly Rule<TransactionExamination>[] = [
  existenceCheck,
  required('TimeLockedTx', ({ previousOutputs, timestamp }) =>
    previousOutputs.every((output) => output.kind === 'contract' || output.lockTime <= timestamp),
  ),
  grouped('coin balance', checkCoin),
  grouped('token balances', checkTokens),
];
