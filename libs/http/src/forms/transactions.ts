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
import {
  type AssetOutputAnswer,
  type OutputAnswer,
  type TemplateAnswer,
  type TokenAnswer,
  type TransactionAnswer,
  type UnsignedTransactionAnswer,
} from '../schemas/index.js';
import { timestampForm } from './timestamps.js';

/** The JSON forms of transactions (protocol 07 §2.2, §2.3) under a brand, whose name is part of one field's name. */
export interface TransactionForms {
  /** `index`: place among all outputs of the transaction, on which the key depends. */
  output(output: Output, txId: string, index: number): OutputAnswer;
  unsigned(unsigned: UnsignedTransaction): UnsignedTransactionAnswer;
  transaction(transaction: Transaction): TransactionAnswer;
  template(template: TransactionTemplate): TemplateAnswer;
}

const tokenForms = (tokens: readonly Token[]): TokenAnswer[] =>
  tokens.map(({ id, amount }) => ({ id, amount: amount.toString() }));

const outputForms = (amountField: string) => {
  const amountOf = (amount: bigint) => ({ [amountField]: amount.toString() }) as { attoCoinAmount: string };

  const assetOutput = (output: AssetOutput, txId: string, index: number): AssetOutputAnswer => ({
    hint: outputHint(output.lockupScript),
    key: outputKey(txId, index),
    ...amountOf(output.amount),
    address: addressOf(output.lockupScript),
    tokens: tokenForms(output.tokens),
    lockTime: timestampForm(output.lockTime),
    message: bytesToHex(output.additionalData),
  });

  const anyOutput = (output: Output, txId: string, index: number): OutputAnswer => {
    if (output.kind === 'asset') return { type: 'AssetOutput', ...assetOutput(output, txId, index) };
    const lockupScript = { kind: 'p2c', contractId: output.contractId } as const;
    return {
      type: 'ContractOutput',
      hint: outputHint(lockupScript),
      key: outputKey(txId, index),
      ...amountOf(output.amount),
      address: addressOf(lockupScript),
      tokens: tokenForms(output.tokens),
    };
  };

  return { assetOutput, anyOutput };
};

export const createTransactionForms = (amountField: string): TransactionForms => {
  const { assetOutput, anyOutput } = outputForms(amountField);

  const unsigned = (transaction: UnsignedTransaction): UnsignedTransactionAnswer => {
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
      fixedOutputs: transaction.fixedOutputs.map((output, index) => assetOutput(output, txId, index)),
    };
  };

  return {
    unsigned,
    output: anyOutput,
    template: (template) => ({
      unsigned: unsigned(template.unsigned),
      inputSignatures: template.inputSignatures.map(bytesToHex),
      scriptSignatures: template.scriptSignatures.map(bytesToHex),
    }),
    transaction: (transaction) => {
      const fixed = transaction.unsigned.fixedOutputs.length;
      const form = unsigned(transaction.unsigned);
      return {
        unsigned: form,
        scriptExecutionOk: transaction.scriptExecutionOk,
        contractInputs: transaction.contractInputs.map(({ hint, key }) => ({ hint, key })),
        generatedOutputs: transaction.generatedOutputs.map((output, index) =>
          anyOutput(output, form.txId, fixed + index),
        ),
        inputSignatures: transaction.inputSignatures.map(bytesToHex),
        scriptSignatures: transaction.scriptSignatures.map(bytesToHex),
      };
    },
  };
};
