import { z } from 'zod';
import { type DestinationItem } from '@shardnode/messages';
import {
  address,
  amount,
  assetAddress,
  attoCoins,
  blockHashText,
  choice,
  contractAddress,
  count,
  developmentValues,
  fields,
  flagAnswer,
  gas,
  gasPriceText,
  groupIndex,
  hash,
  hexText,
  hint,
  int32,
  list,
  meanings,
  mostOfAll,
  numberOf,
  optional,
  optionalList,
  plainText,
  publicKey,
  publicKeyText,
  required,
  scriptHex,
  senderPublicKey,
  signature,
  signatureText,
  smallestUnits,
  tagged,
  textOf,
  time,
  timestamp,
  tokenIdText,
  Tokens,
  transactionIdText,
  transactionText,
  uint256,
} from '@shardnode/http';
import { parametersOf, someChainsParameters } from '../operations/parameters.js';

/* Parts of a transaction (protocol 07 §2.2, §2.3). */

export const OutputReference = fields(
  { hint: numberOf(hint), key: textOf(hash, { description: 'Key of the output' }) },
  { description: 'Names an output; usable in the `utxos` of a build', id: 'OutputRef' },
);

const located = { hint: numberOf(hint), key: textOf(hash, { description: 'Key of the output, unique' }) };
const ownAmount = { attoCoinAmount: attoCoins('Amount in the smallest unit; 10^18 are one coin') };
const assetOutput = {
  ...located,
  ...ownAmount,
  address: textOf(address),
  tokens: Tokens,
  lockTime: time('When it may be spent; 0: at once', 0),
  message: textOf(hexText, { description: 'Data of the output, hexadecimal', example: '' }),
};
export const FixedOutput = fields(assetOutput, { description: 'Output of a transaction', id: 'FixedAssetOutput' });
export const Output = z
  .union([
    fields({ type: tagged('AssetOutput'), ...assetOutput }, { description: 'Output of an address', id: 'AssetOutput' }),
    fields(
      { type: tagged('ContractOutput'), ...located, ...ownAmount, address: textOf(contractAddress), tokens: Tokens },
      { description: 'Output of a contract', id: 'ContractOutput' },
    ),
  ])
  .register(meanings, { description: 'Output of an address or of a contract', id: 'Output' });

export const UnsignedTransaction = fields(
  {
    txId: textOf(transactionIdText),
    version: numberOf(int32('Version of the transaction', 0)),
    networkId: numberOf(int32('Network it is for', 4)),
    scriptOpt: textOf(hexText, { description: 'Serialized script', example: developmentValues.script }).optional(),
    gasAmount: numberOf(gas),
    gasPrice: gasPriceText(),
    inputs: list(
      fields(
        {
          outputRef: OutputReference,
          unlockScript: textOf(hexText, {
            description: 'Serialized unlock script',
            example: `00${publicKeyText.meaning.example as string}`,
          }),
        },
        { description: 'What is spent', id: 'AssetInput' },
      ),
      'inputs',
    ),
    fixedOutputs: list(FixedOutput, 'outputs'),
  },
  { description: 'Unsigned transaction', id: 'UnsignedTx' },
);

const signatures = list(textOf(signatureText), 'signatures');

export const Transaction = fields(
  {
    unsigned: UnsignedTransaction,
    scriptExecutionOk: flagAnswer('False when its script failed: only the fee was taken', true),
    contractInputs: list(OutputReference, 'spent outputs of contracts'),
    generatedOutputs: list(Output, 'outputs created by the script'),
    inputSignatures: signatures,
    scriptSignatures: signatures,
  },
  { description: 'Transaction as it stands in a block', id: 'Transaction' },
);

export const TransactionTemplate = fields(
  { unsigned: UnsignedTransaction, inputSignatures: signatures, scriptSignatures: signatures },
  { description: 'Transaction that waits to be mined', id: 'TransactionTemplate' },
);

/* Building and submitting (protocol 07 §8). */

/** The chain of a transaction. */
export const transactionChain = {
  fromGroup: numberOf(groupIndex('Group of the sender')),
  toGroup: numberOf(groupIndex('Group of the receivers')),
};
const unsignedTx = textOf(transactionText);

export const BuildTransactionResult = fields(
  {
    unsignedTx,
    gasAmount: numberOf(gas),
    gasPrice: gasPriceText(),
    txId: textOf(transactionIdText),
    ...transactionChain,
  },
  { description: 'Transaction to sign: the signature is over `txId`', id: 'BuildTransactionResult' },
);
export const BuildSweepResult = fields(
  {
    unsignedTxs: list(
      fields(
        { txId: textOf(transactionIdText), unsignedTx, gasAmount: numberOf(gas), gasPrice: gasPriceText() },
        { description: 'Transaction to sign: the signature is over `txId`', id: 'SweepAddressTransaction' },
      ),
      'transactions; empty when there is nothing to sweep',
    ),
    ...transactionChain,
  },
  { description: 'Transactions to sign and to submit one by one', id: 'BuildSweepAddressTransactionsResult' },
);
export const SubmitResult = fields(
  { txId: textOf(transactionIdText), ...transactionChain },
  { description: 'Accepted transaction', id: 'SubmitTxResult' },
);
export const DecodeResult = fields(
  { ...transactionChain, unsignedTx: UnsignedTransaction },
  { description: 'Decoded transaction', id: 'DecodeUnsignedTxResult' },
);

const confirmations = (of: string) => numberOf(count(`Confirmations ${of}`, 1), { 'x-unit': 'blocks' });

export const TransactionStatus = z
  .union([
    fields(
      {
        type: tagged('Confirmed'),
        blockHash: textOf(blockHashText),
        txIndex: numberOf(count('Position in the block, from 0', 0)),
        chainConfirmations: confirmations('on the chain of the block'),
        fromGroupConfirmations: confirmations("on the sender's group: 0 until it has referred to the block"),
        toGroupConfirmations: confirmations("on the receiver's group: 0 until it has referred to the block"),
      },
      { description: 'In a block of the main chain', id: 'Confirmed' },
    ),
    fields({ type: tagged('MemPooled') }, { description: 'Waiting to be mined', id: 'MemPooled' }),
    fields(
      {
        type: tagged('TxNotFound'),
        reason: fields(
          {
            code: plainText('Name of the reason', 'TxExpired'),
            detail: plainText('What happened', 'the transaction waited too long'),
            conflictingTxId: textOf(transactionIdText, {
              description: 'Transaction that spends the same output',
            }).optional(),
          },
          { description: 'Why a transaction that was accepted left unmined; kept for a day', id: 'DropReason' },
        ).optional(),
      },
      { description: 'Neither mined nor waiting', id: 'TxNotFound' },
    ),
  ])
  .register(meanings, { description: 'Status of a transaction', id: 'TxStatus' });

/* Requests. */

export const TokenAmount = fields(
  { id: required(tokenIdText), amount: required(uint256) },
  { description: 'Amount of a token', id: 'TokenAmount' },
);
/** Amounts of tokens that a request names. */
export const sentTokens = (description?: string) =>
  optionalList(TokenAmount, 'tokens', { most: 1_024, ...(description === undefined ? {} : { description }) });

/** The same in the form of bus messages. */
export const tokenItems = (tokens: readonly z.output<typeof TokenAmount>[] | undefined) =>
  (tokens ?? []).map(({ id, amount }) => ({ id, amount: amount.toString() }));

type AmountName = 'amount' | 'attoCoinAmount';

/**
 * A destination, in the form of bus messages. Both names of the amount are accepted everywhere, one of the two
 * (protocol 07 §1.7); `usual` is the one that an error names when both are absent.
 */
const destination = (usual: AmountName) => {
  const description = 'Where coins go: exactly one of amount and attoCoinAmount';
  return fields(
    {
      address: required(assetAddress),
      amount: optional(amount),
      tokens: sentTokens(),
      lockTime: optional(timestamp, { description: 'When the receiver may spend it, milliseconds since 1970' }),
      message: optional(hexText, { description: 'Data of the output, hexadecimal' }),
      attoCoinAmount: optional(smallestUnits),
    },
    { description },
  )
    .transform((read, context): DestinationItem => {
      if ((read.attoCoinAmount === undefined) === (read.amount === undefined)) {
        const isMissing = read.amount === undefined;
        context.addIssue({
          code: 'custom',
          message: isMissing
            ? `missing keys in dictionary: ${usual}`
            : 'Invalid amount: both amount and attoCoinAmount are given',
          params: isMissing ? { missingKey: usual } : {},
        });
        return z.NEVER;
      }
      return {
        lockupScript: scriptHex(read.address.lockupScript),
        amount: (read.attoCoinAmount ?? read.amount)!.toString(),
        tokens: tokenItems(read.tokens),
        ...(read.lockTime === undefined ? {} : { lockTime: read.lockTime.toString() }),
        ...(read.message === undefined ? {} : { message: read.message }),
      };
    })
    .register(meanings, {
      description,
      id: usual === 'amount' ? 'DestinationOfAmount' : 'Destination',
      oneOf: [{ required: ['amount'] }, { required: ['attoCoinAmount'] }],
    });
};

/** More than a transaction takes (256), because destinations of one address are merged and advice names numbers. */
const mostDestinations = 1_024;
const mostOutputsToSpend = 1_024;

const destinationsOf = (usual: AmountName) =>
  list(destination(usual), 'destinations, all in one group', { most: mostDestinations });
/** Of transfers whose amount is usually `attoCoinAmount`. */
const Destinations = destinationsOf('attoCoinAmount');
/** Of transfers whose amount is usually `amount`. */
export const DestinationsOfAmount = destinationsOf('amount');
export const gasPrice = optional(uint256, {
  description: 'Smallest units per unit of gas; default 100000000000',
  'x-unit': 'attoCoin per gas',
});
export const gasGiven = (description = 'Units of gas; default: estimated') => optional(gas, { description });
/** Outputs chosen by the client. */
const OutputsToSpend = optionalList(
  fields({ hint: required(hint), key: required(hash) }, { description: 'Names an output to spend', id: 'UtxoToSpend' }),
  'outputs to spend',
  { description: 'Outputs to spend; default: chosen by the node', most: mostOutputsToSpend },
);
const targetBlockHash = optional(blockHashText, {
  description: 'Build on the state that this block depends on',
});
/** The key of a sender; its length depends on its kind. */
export const senderKey = {
  fromPublicKey: required(senderPublicKey),
  fromPublicKeyType: optional(choice(['default', 'bip340-schnorr'], 'Kind of key; default: default')),
};

export const BuildTransaction = fields(
  {
    ...senderKey,
    destinations: Destinations,
    utxos: OutputsToSpend,
    gasAmount: gasGiven(),
    gasPrice,
    targetBlockHash,
  },
  { description: 'Transfer of one key', id: 'BuildTransaction' },
);

/** Each sender has an input, and a transaction has at most this many. */
const mostSenders = 256;
/** Protocol 07 §8.2. */
export const BuildMultiAddresses = fields(
  {
    from: list(
      fields(
        {
          fromPublicKey: senderKey.fromPublicKey,
          destinations: Destinations,
          fromPublicKeyType: senderKey.fromPublicKeyType,
          gasAmount: gasGiven('Units of gas that this sender pays: for all senders or for none; default: estimated'),
          utxos: OutputsToSpend,
        },
        { description: 'A sender and what it pays', id: 'Source' },
      ),
      'senders, all in one group',
      {
        description: `List of senders, all in one group; at most ${mostDestinations} destinations and ${mostOutputsToSpend} utxos in all`,
        most: mostSenders,
        refuse: mostOfAll({ destinations: mostDestinations, utxos: mostOutputsToSpend }),
      },
    ),
    gasPrice,
    targetBlockHash,
  },
  { description: 'Transfer of several keys in one transaction', id: 'BuildMultiAddressesTransaction' },
);

/** Protocol 07 §8.3, §9.3. */
export const sweepFields = {
  toAddress: required(assetAddress, { description: 'Where everything goes, in any group' }),
  maxAttoCoinPerUTXO: optional(smallestUnits, {
    description: 'Only outputs with less are consolidated; default: all of them',
  }),
  lockTime: optional(timestamp, { description: 'When the receiver may spend it, milliseconds since 1970' }),
  gasAmount: gasGiven('Units of gas of each transaction; default: estimated'),
  gasPrice,
  targetBlockHash,
};
export const BuildSweep = fields(
  { fromPublicKey: required(publicKey, { description: 'Public key of the sender' }), ...sweepFields },
  { description: 'Sweep of one key', id: 'BuildSweepAddressTransactions' },
);

export const SubmitTransaction = fields(
  { unsignedTx: required(transactionText), signature: required(signature) },
  { description: 'Signed transaction', id: 'SubmitTransaction' },
);
export const DecodeTransaction = fields(
  { unsignedTx: required(transactionText) },
  { description: 'Transaction to decode', id: 'DecodeUnsignedTx' },
);

export const StatusQuery = parametersOf({ txId: required(transactionIdText), ...someChainsParameters });
export const DetailsPath = parametersOf({ txId: required(transactionIdText) });
export const DetailsQuery = parametersOf(someChainsParameters);
