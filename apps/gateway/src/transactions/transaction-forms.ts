import { type z } from 'zod';
import { addressOf } from '@shardnode/protocol/address';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { outputHint } from '@shardnode/protocol/primitives';
import { statefulScriptCodec } from '@shardnode/protocol/script';
import {
  outputKey,
  transactionId,
  unlockScriptCodec,
  type AssetOutput,
  type Output,
  type Token,
  type Transaction,
  type TransactionTemplate,
  type UnsignedTransaction,
} from '@shardnode/protocol/transaction';
import { timestampForm, type Tokens } from '@shardnode/http';
import { type BuiltTransaction, type SweepReply } from '@shardnode/messages';
import type * as schemas from './transactions.schemas.js';

export type OutputAnswer = z.output<typeof schemas.Output>;
export type UnsignedTransactionAnswer = z.output<typeof schemas.UnsignedTransaction>;
export type TransactionAnswer = z.output<typeof schemas.Transaction>;
export type TemplateAnswer = z.output<typeof schemas.TransactionTemplate>;

const tokenForms = (tokens: readonly Token[]): z.output<typeof Tokens> =>
  tokens.map(({ id, amount }) => ({ id, amount: amount.toString() }));

const assetOutputForm = (output: AssetOutput, txId: string, index: number): z.output<typeof schemas.FixedOutput> => ({
  hint: outputHint(output.lockupScript),
  key: outputKey(txId, index),
  attoCoinAmount: output.amount.toString(),
  address: addressOf(output.lockupScript),
  tokens: tokenForms(output.tokens),
  lockTime: timestampForm(output.lockTime),
  message: bytesToHex(output.additionalData),
});

/**
 * The JSON forms of transactions (protocol 07 §2.2, §2.3). `index`: position among all outputs of the transaction, on
 * which the key depends.
 */
export const outputForm = (output: Output, txId: string, index: number): OutputAnswer => {
  if (output.kind === 'asset') return { type: 'AssetOutput', ...assetOutputForm(output, txId, index) };
  const lockupScript = { kind: 'p2c', contractId: output.contractId } as const;
  return {
    type: 'ContractOutput',
    hint: outputHint(lockupScript),
    key: outputKey(txId, index),
    attoCoinAmount: output.amount.toString(),
    address: addressOf(lockupScript),
    tokens: tokenForms(output.tokens),
  };
};

export const unsignedForm = (transaction: UnsignedTransaction): UnsignedTransactionAnswer => {
  const txId = transactionId(transaction);
  return {
    txId,
    version: transaction.version,
    networkId: transaction.networkId,
    ...(transaction.script ? { scriptOpt: bytesToHex(encode(statefulScriptCodec, transaction.script)) } : {}),
    gasAmount: transaction.gasAmount,
    gasPrice: transaction.gasPrice.toString(),
    inputs: transaction.inputs.map(({ outputReference: { hint, key }, unlockScript }) => ({
      outputRef: { hint, key },
      unlockScript: bytesToHex(encode(unlockScriptCodec, unlockScript)),
    })),
    fixedOutputs: transaction.fixedOutputs.map((output, index) => assetOutputForm(output, txId, index)),
  };
};

export const templateForm = (template: TransactionTemplate): TemplateAnswer => ({
  unsigned: unsignedForm(template.unsigned),
  inputSignatures: template.inputSignatures.map(bytesToHex),
  scriptSignatures: template.scriptSignatures.map(bytesToHex),
});

export const transactionForm = (transaction: Transaction): TransactionAnswer => {
  const fixed = transaction.unsigned.fixedOutputs.length;
  const unsigned = unsignedForm(transaction.unsigned);
  return {
    unsigned,
    scriptExecutionOk: transaction.scriptExecutionOk,
    contractInputs: transaction.contractInputs.map(({ hint, key }) => ({ hint, key })),
    generatedOutputs: transaction.generatedOutputs.map((output, index) =>
      outputForm(output, unsigned.txId, fixed + index),
    ),
    inputSignatures: transaction.inputSignatures.map(bytesToHex),
    scriptSignatures: transaction.scriptSignatures.map(bytesToHex),
  };
};

/** A built transaction (protocol 07 §8.1). */
export const builtForm = ({
  unsignedTx,
  gasAmount,
  gasPrice,
  txId,
  fromGroup,
  toGroup,
}: BuiltTransaction): z.output<typeof schemas.BuildTransactionResult> => ({
  unsignedTx: bytesToHex(unsignedTx),
  gasAmount,
  gasPrice,
  txId,
  fromGroup,
  toGroup,
});

/** The transactions of a sweep in the form of the API. */
export const sweepForm = ({
  transactions,
  fromGroup,
  toGroup,
}: SweepReply): z.output<typeof schemas.BuildSweepResult> => ({
  unsignedTxs: transactions.map(({ txId, unsignedTx, gasAmount, gasPrice }) => ({
    txId,
    unsignedTx: bytesToHex(unsignedTx),
    gasAmount,
    gasPrice,
  })),
  fromGroup,
  toGroup,
});
