import { z } from 'zod';
import { attoAmountField, type Brand } from '../../brand/brand.js';
import {
  blockHashText,
  hash,
  hexText,
  publicKeyText,
  signatureText,
  tokenIdText,
  transactionIdText,
  transactionText,
} from '../bytes.js';
import { developmentValues } from '../development-values.js';
import { fields, list, meanings } from '../leaf.js';
import { count, gas, groupIndex, hint, int32 } from '../numbers.js';
import { address, contractAddress } from '../texts.js';
import { attoCoins, digits, flag, gasPriceText, number, plainText, tagged, text, time } from './answer-leaves.js';

export const transactionObjects = (brand: Brand) => {
  const token = fields(
    { id: text(tokenIdText), amount: digits("Count of the token's smallest unit") },
    {
      description: 'Amount of a token',
      id: 'Token',
    },
  );
  const tokens = () => list(token, 'tokens');
  const outputReference = fields(
    { hint: number(hint), key: text(hash, { description: 'Key of the output' }) },
    {
      description: 'Names an output; usable in the `utxos` of a build',
      id: 'OutputRef',
    },
  );
  const amountField = () =>
    ({ [attoAmountField(brand)]: attoCoins('Amount in the smallest unit; 10^18 are one coin') }) as {
      attoCoinAmount: z.ZodString;
    };
  const located = () => ({ hint: number(hint), key: text(hash, { description: 'Key of the output, unique' }) });
  const assetParts = () => ({
    ...located(),
    ...amountField(),
    address: text(address),
    tokens: tokens(),
    lockTime: time('When it may be spent; 0: at once', 0),
    message: text(hexText, { description: 'Data of the output, hexadecimal', example: '' }),
  });
  const fixedOutput = fields(assetParts(), { description: 'Output of a transaction', id: 'FixedAssetOutput' });
  const output = z
    .union([
      fields(
        { type: tagged('AssetOutput'), ...assetParts() },
        { description: 'Output of an address', id: 'AssetOutput' },
      ),
      fields(
        {
          type: tagged('ContractOutput'),
          ...located(),
          ...amountField(),
          address: text(contractAddress),
          tokens: tokens(),
        },
        { description: 'Output of a contract', id: 'ContractOutput' },
      ),
    ])
    .register(meanings, { description: 'Output of an address or of a contract', id: 'Output' });
  return { token, tokens, outputReference, fixedOutput, output };
};

const wholeTransactions = (brand: Brand) => {
  const objects = transactionObjects(brand);
  const unsigned = fields(
    {
      txId: text(transactionIdText),
      version: number(int32('Version of the transaction', 0)),
      networkId: number(int32('Network it is for', 4)),
      scriptOpt: text(hexText, { description: 'Serialized script', example: developmentValues.script }).optional(),
      gasAmount: number(gas),
      gasPrice: gasPriceText(),
      inputs: list(
        fields(
          {
            outputRef: objects.outputReference,
            unlockScript: text(hexText, {
              description: 'Serialized unlock script',
              example: `00${publicKeyText.meaning.example as string}`,
            }),
          },
          { description: 'What is spent', id: 'AssetInput' },
        ),
        'inputs',
      ),
      fixedOutputs: list(objects.fixedOutput, 'outputs'),
    },
    { description: 'Unsigned transaction', id: 'UnsignedTx' },
  );
  const transaction = fields(
    {
      unsigned,
      scriptExecutionOk: flag('False when its script failed: only the fee was taken', true),
      contractInputs: list(objects.outputReference, 'spent outputs of contracts'),
      generatedOutputs: list(objects.output, 'outputs made by the script'),
      inputSignatures: list(text(signatureText), 'signatures'),
      scriptSignatures: list(text(signatureText), 'signatures'),
    },
    { description: 'Transaction as it stands in a block', id: 'Transaction' },
  );
  return { unsigned, transaction, token: objects.token, output: objects.output };
};

export type TransactionAnswers = ReturnType<typeof transactionAnswers>;

export const transactionAnswers = (brand: Brand, groups: number) => {
  const { unsigned, transaction, token, output } = wholeTransactions(brand);
  const chain = () => ({
    fromGroup: number(groupIndex(groups, 'Group of the sender')),
    toGroup: number(groupIndex(groups, 'Group of the receivers')),
  });
  const unsignedBytes = () => text(transactionText);
  const gasParts = () => ({
    gasAmount: number(gas),
    gasPrice: gasPriceText(),
  });
  return {
    unsigned,
    transaction,
    token,
    output,
    built: fields(
      { unsignedTx: unsignedBytes(), ...gasParts(), txId: text(transactionIdText), ...chain() },
      { description: 'Transaction to sign: the signature is over `txId`', id: 'BuildTransactionResult' },
    ),
    builtMultisig: fields(
      {
        unsignedTx: unsignedBytes(),
        gasAmount: number(gas).optional(),
        gasPrice: gasParts().gasPrice.optional(),
        txId: text(transactionIdText),
        ...chain(),
      },
      { description: 'Multisig transaction to sign: each signer signs `txId`', id: 'BuildMultisigResult' },
    ),
    sweepBuilt: fields(
      {
        unsignedTxs: list(
          fields(
            { txId: text(transactionIdText), unsignedTx: unsignedBytes(), ...gasParts() },
            { description: 'Transaction to sign: the signature is over `txId`', id: 'SweepAddressTransaction' },
          ),
          'transactions; empty when there is nothing to sweep',
        ),
        ...chain(),
      },
      { description: 'Transactions to sign and to submit one by one', id: 'BuildSweepAddressTransactionsResult' },
    ),
    submitted: fields(
      { txId: text(transactionIdText), ...chain() },
      { description: 'Accepted transaction', id: 'SubmitTxResult' },
    ),
    decoded: fields(
      { ...chain(), unsignedTx: unsigned },
      { description: 'Decoded transaction', id: 'DecodeUnsignedTxResult' },
    ),
    status: statusAnswer(),
  };
};

const statusAnswer = () => {
  const confirmations = (of: string) => number(count(`Confirmations ${of}`, 1), { 'x-unit': 'blocks' });
  return z
    .union([
      fields(
        {
          type: tagged('Confirmed'),
          blockHash: text(blockHashText),
          txIndex: number(count('Position in the block, from 0', 0)),
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
              conflictingTxId: text(transactionIdText, {
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
};
