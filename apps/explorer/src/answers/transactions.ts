import { z } from 'zod';
import {
  address,
  attoCoins,
  blockHashText,
  contractAddress,
  count,
  fields,
  flagAnswer,
  gas,
  gasPriceText,
  hash,
  hexText,
  hint,
  int32,
  list,
  meanings,
  numberOf,
  plainText,
  signatureText,
  tagged,
  textOf,
  time,
  Tokens,
  transactionIdText,
} from '@shardnode/http';
import { chainMembers } from './blocks.js';

/** protocol 08 §5.4 */
const OutputRef = fields(
  { hint: numberOf(hint), key: textOf(hash, { description: 'Key of the output' }) },
  { description: 'Reference to an output', id: 'OutputRef' },
);
const unlockScript = textOf(hexText, { description: 'Absent for the input of a contract' });
const spentMembers = {
  txHashRef: textOf(transactionIdText, {
    description: 'Transaction of the spent output; absent while unknown',
  }).optional(),
  address: textOf(address, { description: 'Address of the spent output; absent while unknown' }).optional(),
  attoCoinAmount: attoCoins('Amount of the spent output; absent while unknown').optional(),
  tokens: Tokens.optional(),
};
const Input = fields(
  {
    outputRef: OutputRef,
    unlockScript: unlockScript.optional(),
    ...spentMembers,
    contractInput: flagAnswer('Whether a contract spends it', false),
  },
  { description: 'Input', id: 'Input' },
);

const outputMembers = { hint: numberOf(hint), key: textOf(hash), attoCoinAmount: attoCoins('Amount') };
const ownAddress = textOf(address, { description: 'Address of the output' });
const lockTime = time('Time from which it can be spent');
const message = textOf(hexText, { description: 'Data of the sender' });
const spent = textOf(transactionIdText, { description: 'Transaction that spends it; absent while none does' });
const fixedOutput = flagAnswer('False for an output that a script made', true);
const AssetOutput = fields(
  {
    type: tagged('AssetOutput'),
    ...outputMembers,
    address: ownAddress,
    tokens: Tokens.optional(),
    lockTime: lockTime.optional(),
    message,
    spent: spent.optional(),
    fixedOutput,
  },
  { description: 'Output of an address', id: 'AssetOutput' },
);
const ContractOutput = fields(
  {
    type: tagged('ContractOutput'),
    ...outputMembers,
    address: textOf(contractAddress),
    tokens: Tokens.optional(),
    spent: spent.optional(),
    fixedOutput,
  },
  { description: 'Output of a contract', id: 'ContractOutput' },
);
const Output = z.union([AssetOutput, ContractOutput]).register(meanings, { description: 'Output', id: 'Output' });

const gasMembers = { gasAmount: numberOf(gas), gasPrice: gasPriceText() };
const inputs = list(Input, 'inputs: of addresses, then of contracts');
const outputs = list(Output, 'outputs: fixed ones, then generated ones');
const scriptOpt = textOf(hexText, { description: 'Script; null without one' }).nullable();
const versions = {
  version: numberOf(int32('Version of the transaction', 0)),
  networkId: numberOf(int32('Id of the network', 4)),
};
const transactionMembers = {
  hash: textOf(transactionIdText),
  blockHash: textOf(blockHashText),
  timestamp: time('Time of its block'),
  inputs,
  outputs,
  ...versions,
  scriptOpt,
  ...gasMembers,
  scriptExecutionOk: flagAnswer('False when its script failed', true),
  inputSignatures: list(textOf(signatureText), 'signatures of the inputs'),
  scriptSignatures: list(textOf(signatureText), 'signatures for the script'),
  coinbase: flagAnswer('Whether it pays the miner', false),
  ...chainMembers,
  blockHeight: numberOf(count('Height of its block', 42), { 'x-unit': 'blocks' }),
  txOrder: numberOf(count('Its place in the block', 0)),
};
const Transaction = fields(transactionMembers, { description: 'Transaction of a block', id: 'Transaction' });
export const Transactions = list(Transaction, 'transactions');
const AcceptedTransaction = fields(
  { type: tagged('Accepted'), ...transactionMembers },
  { description: 'Transaction of a block', id: 'AcceptedTransaction' },
);

const pendingMembers = {
  hash: textOf(transactionIdText),
  ...chainMembers,
  inputs,
  outputs: list(AssetOutput, 'outputs'),
  ...gasMembers,
  lastSeen: time('When the explorer saw it first'),
};
const MempoolTransaction = fields(pendingMembers, {
  description: 'Transaction that waits to be mined',
  id: 'MempoolTransaction',
});
export const MempoolTransactions = list(MempoolTransaction, 'pending transactions, newest first');
const PendingTransaction = fields(
  { type: tagged('Pending'), ...pendingMembers },
  { description: 'Transaction that waits to be mined', id: 'PendingTransaction' },
);
export const TransactionByHash = z
  .union([AcceptedTransaction, PendingTransaction])
  .register(meanings, { description: 'Transaction', id: 'TransactionLike' });

/** protocol 08 §5.6 */
export const ScriptFailureAnswer = fields(
  {
    reason: plainText(
      'Why the script failed; null where the group-node does not have the state before the block any more',
      'Contract has no method 3',
    ).nullable(),
    contract: textOf(contractAddress, {
      description: 'Contract in which it failed; absent: in the script itself',
    }).optional(),
    place: plainText('Instruction that failed', 'CallExternal, method 0, instruction 12').optional(),
    failedFunction: plainText(
      'Function in the source of the contract, on a development network',
      'Vault.close',
    ).optional(),
    assertionCode: plainText('Code of the assertion that failed', '7').optional(),
    assertionName: plainText('Its name in the source, on a development network', 'Errors.Locked').optional(),
  },
  { description: 'Why a script failed', id: 'ScriptFailure' },
);

export const TransactionInfo = fields(
  {
    hash: textOf(transactionIdText),
    blockHash: textOf(blockHashText),
    timestamp: time('Time of its block'),
    coinbase: flagAnswer('Whether it pays the miner', false),
  },
  { description: 'Place of a transaction', id: 'TransactionInfo' },
);

const DecodedOutput = fields(
  {
    type: tagged('AssetOutput'),
    ...outputMembers,
    address: ownAddress,
    tokens: Tokens,
    lockTime,
    message,
    fixedOutput,
  },
  { description: 'Output of an unsigned transaction', id: 'DecodedOutput' },
);
export const DecodedTransaction = fields(
  {
    fromGroup: numberOf(count('Group of the first input', 0)),
    toGroup: numberOf(count('Group of the first output outside of it', 1)),
    unsignedTx: fields(
      {
        hash: textOf(transactionIdText),
        ...versions,
        scriptOpt,
        ...gasMembers,
        inputs,
        outputs: list(DecodedOutput, 'outputs'),
      },
      { description: 'Unsigned transaction', id: 'DecodedUnsignedTx' },
    ),
  },
  { description: 'Unsigned transaction with its groups', id: 'DecodeUnsignedTxResult' },
);

export type TokenAnswer = z.output<typeof Tokens>[number];
export type InputAnswer = z.output<typeof Input>;
export type AssetOutputAnswer = z.output<typeof AssetOutput>;
export type OutputAnswer = z.output<typeof Output>;
export type TransactionAnswer = z.output<typeof Transaction>;
export type MempoolAnswer = z.output<typeof MempoolTransaction>;
export type ScriptFailureForm = z.input<typeof ScriptFailureAnswer>;
export type TransactionInfoAnswer = z.output<typeof TransactionInfo>;
export type DecodedAnswer = z.output<typeof DecodedTransaction>;
