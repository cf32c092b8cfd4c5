import {
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
import { hasDoubleSpending } from './double-spending.js';
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

/**
 * Shape and chain: rules that need no state, in the order of the table (protocol 02 §9.2). On an inter-group chain the
 * counts of checks 4, 6 and 7 are those of the unsigned part alone, because checks 3 and 5 come first.
 */
export const shapeChecks: readonly Rule<TransactionExamination>[] = [
  required('InvalidTxVersion', ({ transaction }) => transaction.unsigned.version === txVersion),
  required('InvalidNetworkId', ({ transaction, settings }) => transaction.unsigned.networkId === settings.networkId),
  required(
    'ContractInputForInterGroupTx',
    ({ transaction, intraGroup }) => intraGroup || transaction.contractInputs.length === 0,
  ),
  required('TooManyInputs', ({ transaction }) => inputCount(transaction) <= maxInputs),
  required(
    'GeneratedOutputForInterGroupTx',
    ({ transaction, intraGroup }) => intraGroup || transaction.generatedOutputs.length === 0,
  ),
  required('NoOutputs', ({ transaction }) => outputCount(transaction) >= 1),
  required('TooManyOutputs', ({ transaction }) => outputCount(transaction) <= maxOutputs),
  required(
    'TooManyScriptSignatures',
    ({ transaction, intraGroup }) => !intraGroup || transaction.scriptSignatures.length <= maxScriptSignatures,
  ),
  required(
    'UnexpectedScriptSignatures',
    ({ transaction, intraGroup }) => intraGroup || transaction.scriptSignatures.length === 0,
  ),
  required(
    'InvalidStartGas',
    ({ transaction: { unsigned } }) => unsigned.gasAmount >= minimalGas && unsigned.gasAmount <= maximalGasPerTx,
  ),
  required('InvalidGasPrice', hasGasPriceInBounds),
  grouped('each output', ({ transaction }) => checkOutputs(transaction)),
  required('BalanceOverFlow', ({ transaction }) => coinSumFits(transaction)),
  required('InvalidInputGroupIndex', hasInputsOfTheChain),
  required('InvalidOutputGroupIndex', hasOutputsOfTheChain),
  // In a block the rule over all its transactions covers it (BlockDoubleSpending).
  required(
    'TxDoubleSpending',
    ({ transaction, kind }) => kind !== 'mempool' || !hasDoubleSpending([transaction.unsigned]),
  ),
];
