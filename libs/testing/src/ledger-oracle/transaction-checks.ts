import { bytesToHex } from '@shardnode/protocol/encoding';
import { type AssetOutput, type Transaction } from '@shardnode/protocol/transaction';
import { rewardOf } from './emission-table.js';
import { type KnownBlocks } from './known-blocks.js';
import { blockText, groupOfHint, type LedgerBlock, type LedgerTransaction } from './ledger-block.js';
import { type OracleNetwork } from './network.js';
import { type Problems } from './problems.js';

export const sumOf = (outputs: readonly { readonly amount: bigint }[]): bigint =>
  outputs.reduce((sum, { amount }) => sum + amount, 0n);

/** The whole gas amount is paid, used or not; nobody gets it (protocol 02 §2.3, §12.3). */
export const feeOf = ({ unsigned }: Transaction): bigint => BigInt(unsigned.gasAmount) * unsigned.gasPrice;

const tokenSums = (outputs: readonly AssetOutput[]): Map<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { id, amount } of outputs.flatMap(({ tokens }) => tokens)) sums.set(id, (sums.get(id) ?? 0n) + amount);
  return sums;
};

const usesContracts = ({ unsigned, contractInputs, generatedOutputs }: Transaction): boolean =>
  unsigned.script !== undefined || contractInputs.length > 0 || generatedOutputs.length > 0;

const checkGroups = (
  block: LedgerBlock,
  { id, spends, creates }: LedgerTransaction,
  count: number,
  problems: Problems,
): void => {
  const groups = new Set([block.from, block.to]);
  const foreignInput = spends.some((text) => groupOfHint(parseInt(text.slice(0, 8), 16), count) !== block.from);
  if (!foreignInput && creates.every(({ group }) => groups.has(group))) return;
  const text = `transaction ${id} in ${blockText(block)} has inputs or outputs of other groups`;
  problems.add('TransactionInOtherGroup', id, text);
};

/** In a transfer the coins that go in come out, but for the fee, and so do the tokens (protocol 02 §9.4). */
const checkTransfer = (block: LedgerBlock, entry: LedgerTransaction, known: KnownBlocks, problems: Problems): void => {
  const who = `transaction ${entry.id} in ${blockText(block)}`;
  const inputs = entry.spends.flatMap((reference) => known.origin(reference)?.output.output ?? []);
  const locked = inputs.find(({ lockTime }) => lockTime > block.timestamp);
  if (locked) problems.add('OutputLocked', entry.id, `${who} spends an output locked until ${locked.lockTime}`);
  // Without an input nothing adds up; its absence is a problem of its own.
  if (inputs.length < entry.spends.length) return;
  const outputs = entry.transaction.unsigned.fixedOutputs;
  const fee = feeOf(entry.transaction);
  if (entry.spends.length === 0 || sumOf(inputs) !== sumOf(outputs) + fee) {
    const text = `${who} takes ${sumOf(inputs)}, makes ${sumOf(outputs)} and pays ${fee}`;
    problems.add('TransactionDoesNotBalance', entry.id, text);
  }
  const taken = tokenSums(inputs);
  for (const [token, amount] of tokenSums(outputs)) {
    if (taken.get(token) === amount) continue;
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
  const [paid] = creates;
  const sound =
    paid !== undefined &&
    creates.length === 1 &&
    unsigned.inputs.length === 0 &&
    unsigned.gasAmount === 20_000 &&
    unsigned.gasPrice === 10n ** 9n &&
    scriptExecutionOk &&
    inputSignatures.length + scriptSignatures.length + paid.output.tokens.length === 0 &&
    paid.group === block.to &&
    paid.output.lockTime === block.timestamp + network.coinbaseLockPeriod &&
    bytesToHex(paid.output.additionalData).startsWith(dataOfCoinbase(block));
  if (!sound) {
    problems.add('CoinbaseMalformed', id, `the last transaction of ${blockText(block)}, ${id}, is no coinbase of it`);
    return;
  }
  const reward = rewardOf(network, block.target, block.timestamp);
  if (paid.output.amount === reward) return;
  problems.add('RewardDiffers', id, `${blockText(block)} pays ${paid.output.amount}, the reward is ${reward}`);
};

/** What can be said of the transactions of a block without its history. Genesis is judged elsewhere. */
export const checkTransactions = (
  block: LedgerBlock,
  known: KnownBlocks,
  network: OracleNetwork,
  problems: Problems,
): void => {
  if (block.isGenesis) return;
  if (block.transactions.length === 0) {
    problems.add('CoinbaseMalformed', block.hash, `${blockText(block)} has no transaction at all`);
  }
  block.transactions.forEach((entry, place, all) => {
    if (usesContracts(entry.transaction)) {
      const text = `transaction ${entry.id} in ${blockText(block)} has a script or contract outputs`;
      problems.add('ContractsNotModelled', entry.id, text);
      return;
    }
    checkGroups(block, entry, network.groups, problems);
    if (place === all.length - 1) checkCoinbase(block, entry, network, problems);
    else checkTransfer(block, entry, known, problems);
  });
};
