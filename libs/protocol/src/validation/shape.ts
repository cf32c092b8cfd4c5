import {
  amountText,
  coinbaseGasPrice,
  groupOfLockupScript,
  groupOfReference,
  maxCoinValue,
  maximalGasPerTx,
  maxInputs,
  maxOutputs,
  maxScriptSignatures,
  u256Max,
  minGasPrice,
  minimalGas,
  txVersion,
} from '../primitives/index.js';
import { type Output, type Transaction } from '../transaction/index.js';
import { buildAgain, counted, placeOf } from './detail-words.js';
import { doubleSpendingDetail, hasDoubleSpending } from './double-spending.js';
import { type Rule } from './outcome.js';
import { checkOutputs } from './outputs.js';
import { grouped, required } from './rule-tables.js';
import { type TransactionExamination } from './transaction-context.js';

const inputCount = ({ unsigned, contractInputs }: Transaction): number =>
  unsigned.inputs.length + contractInputs.length;

const outputCount = ({ unsigned, generatedOutputs }: Transaction): number =>
  unsigned.fixedOutputs.length + generatedOutputs.length;

const hasGasPriceInBounds = ({ transaction, kind }: TransactionExamination): boolean => {
  const { gasPrice } = transaction.unsigned;
  return gasPrice >= (kind === 'coinbase' ? coinbaseGasPrice : minGasPrice) && gasPrice < maxCoinValue;
};

const coinSumFits = ({ unsigned, generatedOutputs }: Transaction): boolean => {
  let sum = 0n;
  for (const output of unsigned.fixedOutputs) sum += output.amount;
  for (const output of generatedOutputs) sum += output.amount;
  return sum <= u256Max;
};

const gasPriceDetail = ({ transaction: { unsigned } }: TransactionExamination): string =>
  `its gas price is ${amountText(unsigned.gasPrice)}, expected at least ${amountText(minGasPrice)} and less than ${amountText(maxCoinValue)}`;

const hasInputsOfTheChain = ({ transaction, chainIndex, settings }: TransactionExamination): boolean =>
  transaction.unsigned.inputs.every(
    ({ outputReference }) => groupOfReference(outputReference, settings.groups) === chainIndex.from,
  );

const hasOutputsOfTheChain = (examination: TransactionExamination): boolean => {
  const { transaction, chainIndex, settings, intraGroup } = examination;
  const belongs = (output: Output): boolean => {
    if (output.kind === 'contract') return true;
    const group = groupOfLockupScript(output.lockupScript, settings.groups);
    if (group === chainIndex.to) reachesTarget = true;
    return group === chainIndex.from || group === chainIndex.to;
  };
  let reachesTarget = intraGroup;
  // Only fixed outputs can reach the target group of an inter-group chain: check 5 leaves it no generated ones.
  return (
    transaction.unsigned.fixedOutputs.every(belongs) && reachesTarget && transaction.generatedOutputs.every(belongs)
  );
};

const inputGroupDetail = ({ transaction, chainIndex, settings }: TransactionExamination): string => {
  const { inputs } = transaction.unsigned;
  const groups = inputs.map(({ outputReference }) => groupOfReference(outputReference, settings.groups));
  const index = groups.findIndex((group) => group !== chainIndex.from);
  return `${placeOf('input', index, inputs.length)} is of group ${groups[index]}, expected group ${chainIndex.from}`;
};

const outputGroupDetail = ({ chainIndex: { from, to } }: TransactionExamination): string =>
  `its outputs are not those of a payment from group ${from} to group ${to}`;

const betweenGroups = ({ chainIndex: { from, to } }: TransactionExamination): string =>
  `it pays from group ${from} to group ${to}: only a transaction within one group`;

/** Whether it is a transaction of this network: the first two rules (protocol 02 §9.2). */
export const networkChecks: readonly Rule<TransactionExamination>[] = [
  required(
    'InvalidTxVersion',
    ({ transaction }) => transaction.unsigned.version === txVersion,
    ({ transaction }) => `its version is ${transaction.unsigned.version}, expected ${txVersion}: ${buildAgain}`,
  ),
  required(
    'InvalidNetworkId',
    ({ transaction, settings }) => transaction.unsigned.networkId === settings.networkId,
    ({ transaction, settings }) =>
      `it is for the network with the id ${transaction.unsigned.networkId}, this one has the id ${settings.networkId}: build it on this network`,
  ),
];

/**
 * Shape and chain: rules that need no state, in the order of the table (protocol 02 §9.2). On an inter-group chain the
 * counts of checks 4, 6 and 7 are those of the unsigned part alone, because checks 3 and 5 come first.
 */
export const shapeChecks: readonly Rule<TransactionExamination>[] = [
  ...networkChecks,
  required(
    'ContractInputForInterGroupTx',
    ({ transaction, intraGroup }) => intraGroup || transaction.contractInputs.length === 0,
    (examination) => `${betweenGroups(examination)} spends outputs of contracts`,
  ),
  required(
    'TooManyInputs',
    ({ transaction }) => inputCount(transaction) <= maxInputs,
    ({ transaction }) =>
      `it has ${counted(inputCount(transaction), 'input')}, at most ${maxInputs}: send less, or sweep the address first`,
  ),
  required(
    'GeneratedOutputForInterGroupTx',
    ({ transaction, intraGroup }) => intraGroup || transaction.generatedOutputs.length === 0,
    (examination) => `${betweenGroups(examination)} generates outputs`,
  ),
  required(
    'NoOutputs',
    ({ transaction }) => outputCount(transaction) >= 1,
    () => `it has no outputs, expected 1 to ${maxOutputs}: ${buildAgain}`,
  ),
  required(
    'TooManyOutputs',
    ({ transaction }) => outputCount(transaction) <= maxOutputs,
    ({ transaction }) =>
      `it has ${counted(outputCount(transaction), 'output')}, at most ${maxOutputs}: pay fewer destinations in each transaction`,
  ),
  required(
    'TooManyScriptSignatures',
    ({ transaction, intraGroup }) => !intraGroup || transaction.scriptSignatures.length <= maxScriptSignatures,
    ({ transaction }) =>
      `it has ${counted(transaction.scriptSignatures.length, 'signature')} for its script, at most ${maxScriptSignatures}`,
  ),
  required(
    'UnexpectedScriptSignatures',
    ({ transaction, intraGroup }) => intraGroup || transaction.scriptSignatures.length === 0,
    (examination) => `${betweenGroups(examination)} has signatures for a script`,
  ),
  required(
    'InvalidStartGas',
    ({ transaction: { unsigned } }) => unsigned.gasAmount >= minimalGas && unsigned.gasAmount <= maximalGasPerTx,
    ({ transaction: { unsigned } }) =>
      `its gas amount is ${unsigned.gasAmount}, expected ${minimalGas} to ${maximalGasPerTx} units of gas: ${buildAgain}`,
  ),
  required('InvalidGasPrice', hasGasPriceInBounds, gasPriceDetail),
  grouped('each output', ({ transaction }) => checkOutputs(transaction)),
  required(
    'BalanceOverFlow',
    ({ transaction }) => coinSumFits(transaction),
    () => 'the sum of its outputs is above 2^256 - 1 atto{Coin}',
  ),
  required('InvalidInputGroupIndex', hasInputsOfTheChain, inputGroupDetail),
  required('InvalidOutputGroupIndex', hasOutputsOfTheChain, outputGroupDetail),
  // In a block BlockDoubleSpending over all transactions covers it.
  required(
    'TxDoubleSpending',
    ({ transaction, kind }) => kind !== 'mempool' || !hasDoubleSpending([transaction.unsigned]),
    ({ transaction }) => doubleSpendingDetail(transaction.unsigned),
  ),
];
