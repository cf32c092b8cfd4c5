import { addressOf } from '../address/index.js';
import { amountText, type Hash, u256Max } from '../primitives/index.js';
import { type Output, outputsOf } from '../transaction/index.js';
import { buildAgain, ownerText, placeOf } from './detail-words.js';
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

/** Names the first input that is missing in the view, in the order of `findPreviousOutputs`. */
const missingDetail = ({ transaction, view }: TransactionExamination): string => {
  const { inputs } = transaction.unsigned;
  const index = inputs.findIndex(({ outputReference }) => view.output(outputReference)?.kind !== 'asset');
  if (index === -1) return 'an output of a contract that it takes does not exist';
  const { key } = inputs[index]!.outputReference;
  return `${placeOf('input', index, inputs.length)} does not exist: output ${key} is spent already, or never was; ${buildAgain}`;
};

/** protocol 02 §9.4 step 1: stores the outputs for the following rules. */
export const existenceCheck: Rule<TransactionExamination> = required(
  'NonExistInput',
  (examination) => {
    const found = findPreviousOutputs(examination);
    if (found) examination.previousOutputs = found;
    return found !== undefined;
  },
  missingDetail,
);

/**
 * protocol 02 §9.4 step 2. The facts contain the input, counted from 1, and its lock time in milliseconds since 1970.
 */
const checkLockTimes = ({ transaction, previousOutputs, timestamp }: TransactionExamination): Verdict => {
  const index = previousOutputs.findIndex((output) => output.kind === 'asset' && output.lockTime > timestamp);
  const output = previousOutputs[index];
  if (output?.kind !== 'asset') return undefined;
  const { lockupScript, lockTime } = output;
  const place = placeOf('input', index, transaction.unsigned.inputs.length);
  return refuse('TimeLockedTx', `${place}, of ${ownerText(lockupScript)}, is locked`, {
    input: index + 1,
    address: addressOf(lockupScript),
    lockTime: lockTime.toString(),
  });
};

const sumOfCoin = (outputs: readonly Output[]): bigint => {
  let sum = 0n;
  for (const output of outputs) sum += output.amount;
  return sum;
};

const overflowDetail = (unit: string): string => `the sum of its inputs or of its outputs is above 2^256 - 1 ${unit}`;

const coinDetail = (incoming: bigint, outgoing: bigint): string => {
  const difference =
    incoming > outgoing
      ? `${amountText(incoming - outgoing)} is left over: add it to an output, or ${buildAgain}`
      : `${amountText(outgoing - incoming)} is missing: ${buildAgain}`;
  return `its inputs have ${amountText(incoming)}, its outputs and the gas fee take ${amountText(outgoing)}; ${difference}`;
};

const checkCoin = ({ transaction, previousOutputs, coinbaseExtra }: TransactionExamination): Verdict => {
  const incoming = sumOfCoin(previousOutputs) + (coinbaseExtra ?? 0n);
  const outgoing = sumOfCoin(outputsOf(transaction)) + feeOf(transaction.unsigned);
  if (incoming > u256Max || outgoing > u256Max) return refuse('BalanceOverFlow', overflowDetail('atto{Coin}'));
  return incoming === outgoing ? undefined : refuse('InvalidCoinBalance', coinDetail(incoming, outgoing));
};

const sumOfTokens = (outputs: readonly Output[]): Map<Hash, bigint> => {
  const sums = new Map<Hash, bigint>();
  for (const { tokens } of outputs) {
    for (const { id, amount } of tokens) sums.set(id, (sums.get(id) ?? 0n) + amount);
  }
  return sums;
};

const overflows = (sums: ReadonlyMap<Hash, bigint>): boolean => [...sums.values()].some((sum) => sum > u256Max);

const tokenDetail = (id: Hash, incoming: bigint, outgoing: bigint): string =>
  `of token ${id} its inputs have ${incoming}, its outputs ${outgoing}: both must be equal; ${buildAgain}`;

/** A script with approved assets that succeeded may issue a new token and may burn a part of a token. */
const checkTokens = ({ transaction, previousOutputs }: TransactionExamination): Verdict => {
  const incoming = sumOfTokens(previousOutputs);
  const outgoing = sumOfTokens(outputsOf(transaction));
  if (overflows(incoming) || overflows(outgoing)) return refuse('BalanceOverFlow', overflowDetail('of a token'));
  const loose = transaction.scriptExecutionOk && takesPreapprovedAssets(transaction.unsigned.script);
  for (const [id, sum] of outgoing) {
    const available = incoming.get(id);
    const balanced = loose ? available === undefined || sum <= available : sum === available;
    if (!balanced) return refuse('InvalidTokenBalance', tokenDetail(id, available ?? 0n, sum));
  }
  return undefined;
};

/** Inputs and balances: rules on the spent outputs, in this order (protocol 02 §9.4). */
export const balanceChecks: readonly Rule<TransactionExamination>[] = [
  existenceCheck,
  grouped('TimeLockedTx', checkLockTimes),
  grouped('coin balance', checkCoin),
  grouped('token balances', checkTokens),
];
