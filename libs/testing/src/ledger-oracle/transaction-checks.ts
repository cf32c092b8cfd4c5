import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Output, type Transaction } from '@shardnode/protocol/transaction';
import { rewardOf } from './emission-table.js';
import { type KnownBlocks } from './known-blocks.js';
import {
  blockText,
  groupOfHint,
  isContractReference,
  type LedgerBlock,
  type LedgerTransaction,
} from './ledger-block.js';
import { type OracleNetwork } from './network.js';
import { type Problems } from './problems.js';

export const sumOf = (outputs: readonly { readonly amount: bigint }[]): bigint =>
  outputs.reduce((sum, { amount }) => sum + amount, 0n);

/** The fee covers the whole gas amount, used or not, and is burned (protocol 02 §2.3, §12.3). */
export const feeOf = ({ unsigned }: Transaction): bigint => BigInt(unsigned.gasAmount) * unsigned.gasPrice;

const tokenSums = (outputs: readonly Output[]): Map<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { id, amount } of outputs.flatMap(({ tokens }) => tokens)) sums.set(id, (sums.get(id) ?? 0n) + amount);
  return sums;
};

/**
 * Checks contract inputs and generated outputs: only a script of an intra-group block may have them, a failed one
 * returns the assets (02 §9.6).
 */
const checkScript = (block: LedgerBlock, { id, transaction }: LedgerTransaction, problems: Problems): void => {
  const { unsigned, contractInputs, generatedOutputs, scriptExecutionOk } = transaction;
  const who = `transaction ${id} in ${blockText(block)}`;
  const hasScript = unsigned.script !== undefined;
  const isIntra = block.from === block.to;
  if (!isIntra && (hasScript || contractInputs.length + generatedOutputs.length > 0)) {
    problems.add('ScriptBetweenGroups', id, `${who} has a script or contract outputs, and leaves its group`);
  }
  const takes = contractInputs.length > 0 || generatedOutputs.some(({ kind }) => kind === 'contract');
  const sound = hasScript ? scriptExecutionOk || !takes : scriptExecutionOk && !takes && generatedOutputs.length === 0;
  if (sound) return;
  problems.add('TakenWithoutScript', id, `${who} takes from contracts or makes outputs without a script that succeeds`);
};

/** Whether the transaction may issue new tokens and burn some of its input tokens (protocol 02 §9.4). */
const mayMakeTokens = ({ unsigned, scriptExecutionOk }: Transaction): boolean => {
  const modifier = unsigned.script?.methods[0]?.assetModifier ?? 0;
  // Its lowest bit: the first method takes approved assets (protocol 01 §13.1).
  return scriptExecutionOk && (modifier & 1) === 1;
};

const checkGroups = (
  block: LedgerBlock,
  { id, spends, creates }: LedgerTransaction,
  count: number,
  problems: Problems,
): void => {
  const groups = new Set([block.from, block.to]);
  const assets = spends.filter((reference) => !isContractReference(reference));
  const foreignInput = assets.some((text) => groupOfHint(parseInt(text.slice(0, 8), 16), count) !== block.from);
  if (!foreignInput && creates.every(({ group }) => groups.has(group))) return;
  const text = `transaction ${id} in ${blockText(block)} has inputs or outputs of other groups`;
  problems.add('TransactionInOtherGroup', id, text);
};

/**
 * Checks that coin inputs equal outputs plus the fee, and that tokens balance, contracts included (protocol 02 §9.4).
 */
const checkTransfer = (block: LedgerBlock, entry: LedgerTransaction, known: KnownBlocks, problems: Problems): void => {
  const who = `transaction ${entry.id} in ${blockText(block)}`;
  const inputs = entry.spends.flatMap((reference) => known.origin(reference)?.output.output ?? []);
  const lockTimes = inputs.map((input) => (input.kind === 'asset' ? input.lockTime : 0n));
  const locked = lockTimes.find((lockTime) => lockTime > block.timestamp);
  if (locked !== undefined) problems.add('OutputLocked', entry.id, `${who} spends an output locked until ${locked}`);
  // With a missing input the sums differ; the missing input is a separate problem.
  if (inputs.length < entry.spends.length) return;
  const outputs = entry.creates.map(({ output }) => output);
  const fee = feeOf(entry.transaction);
  if (entry.spends.length === 0 || sumOf(inputs) !== sumOf(outputs) + fee) {
    const text = `${who} takes ${sumOf(inputs)}, makes ${sumOf(outputs)} and pays ${fee}`;
    problems.add('TransactionDoesNotBalance', entry.id, text);
  }
  const taken = tokenSums(inputs);
  const isFree = mayMakeTokens(entry.transaction);
  for (const [token, amount] of tokenSums(outputs)) {
    const before = taken.get(token);
    if (isFree ? before === undefined || amount <= before : before === amount) continue;
    problems.add('TokensDoNotBalance', `${entry.id} ${token}`, `${who} makes ${amount} of ${token}`);
  }
};

const dataOfCoinbase = ({ from, to, timestamp }: LedgerBlock): string =>
  [from.toString(16).padStart(2, '0'), to.toString(16).padStart(2, '0'), timestamp.toString(16).padStart(16, '0')].join(
    '',
  );

/** The last transaction of a block pays its miner, as the emission table says (protocol 02 §12.4). */
const checkCoinbase = (
  block: LedgerBlock,
  { creates, transaction, id }: LedgerTransaction,
  network: OracleNetwork,
  problems: Problems,
): void => {
  const { unsigned, inputSignatures, scriptSignatures, scriptExecutionOk } = transaction;
  const paid = creates[0]?.output;
  const sound =
    paid?.kind === 'asset' &&
    creates.length === 1 &&
    unsigned.inputs.length === 0 &&
    unsigned.gasAmount === 20_000 &&
    unsigned.gasPrice === 10n ** 9n &&
    scriptExecutionOk &&
    unsigned.script === undefined &&
    transaction.contractInputs.length === 0 &&
    inputSignatures.length + scriptSignatures.length + paid.tokens.length === 0 &&
    creates[0]!.group === block.to &&
    paid.lockTime === block.timestamp + network.coinbaseLockPeriod &&
    bytesToHex(paid.additionalData).startsWith(dataOfCoinbase(block));
  if (!sound) {
    problems.add('CoinbaseMalformed', id, `the last transaction of ${blockText(block)}, ${id}, is no coinbase of it`);
    return;
  }
  const reward = rewardOf(network, block.target, block.timestamp);
  if (paid.amount === reward) return;
  problems.add('RewardDiffers', id, `${blockText(block)} pays ${paid.amount}, the reward is ${reward}`);
};

/** Checks the transactions of a block without its history. Genesis is checked elsewhere. */
export const checkTransactions = (
  block: LedgerBlock,
  known: KnownBlocks,
  network: OracleNetwork,
  problems: Problems,
  runsScripts: boolean,
): void => {
  if (block.isGenesis) return;
  if (block.transactions.length === 0) {
    problems.add('CoinbaseMalformed', block.hash, `${blockText(block)} has no transaction at all`);
  }
  block.transactions.forEach((entry, place, all) => {
    if (entry.transaction.unsigned.script && !runsScripts) {
      const text = `transaction ${entry.id} in ${blockText(block)} has a script, and the oracle was given no machine`;
      problems.add('ContractsNotModelled', entry.id, text);
    }
    checkScript(block, entry, problems);
    checkGroups(block, entry, network.groups, problems);
    if (place === all.length - 1) checkCoinbase(block, entry, network, problems);
    else checkTransfer(block, entry, known, problems);
  });
};
