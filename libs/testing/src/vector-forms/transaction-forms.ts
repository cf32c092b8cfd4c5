import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import {
  type LockupScript,
  type OutputReference,
  groupOfLockupScript,
  groupOfReference,
  lockupScriptCodec,
} from '@shardnode/protocol/primitives';
import {
  type Instruction,
  type Method,
  type Val,
  statefulScriptCodec,
  statelessScriptCodec,
} from '@shardnode/protocol/script';
import {
  type Output,
  type Token,
  type Transaction,
  type TransactionTemplate,
  type UnlockScript,
  type UnsignedTransaction,
  outputsOf,
  referenceOf,
  transactionId,
  unlockScriptCodec,
} from '@shardnode/protocol/transaction';

export const shownLockupScript = (script: LockupScript): unknown => {
  switch (script.kind) {
    case 'p2pkh':
      return { type: 'p2pkh', hash: script.publicKeyHash };
    case 'p2mpkh':
      return { type: 'p2mpkh', pkHashes: script.publicKeyHashes, m: script.m };
    case 'p2sh':
      return { type: 'p2sh', hash: script.scriptHash };
    case 'p2c':
      return { type: 'p2c', contractId: script.contractId };
  }
};

const shownOperand = (operand: NonNullable<Instruction['operand']>): unknown => {
  if (typeof operand === 'number') return operand;
  if (typeof operand === 'bigint') return operand.toString();
  if (operand instanceof Uint8Array) return bytesToHex(operand);
  return 'kind' in operand ? shownLockupScript(operand) : operand.map(bytesToHex);
};

const shownMethod = ({ instructions, ...method }: Method): unknown => ({
  ...method,
  instrs: instructions.map(({ code, operand }) => ({
    code,
    ...(operand === undefined ? {} : { arg: shownOperand(operand) }),
  })),
});

/** Methods and instructions with their operands. */
export const shownMethods = (script: { readonly methods: readonly Method[] }): unknown =>
  script.methods.map(shownMethod);

const shownVal = (val: Val): unknown => ({
  type: val.type,
  value: val.value instanceof Uint8Array ? bytesToHex(val.value) : val.value,
});

export const shownUnlockScript = (unlock: UnlockScript): unknown => {
  switch (unlock.kind) {
    case 'p2pkh':
    case 'reserved':
      return { type: unlock.kind, publicKey: bytesToHex(unlock.publicKey) };
    case 'p2mpkh':
      return {
        type: 'p2mpkh',
        keys: unlock.keys.map(({ publicKey, index }) => ({ publicKey: bytesToHex(publicKey), index })),
      };
    case 'p2sh':
      return {
        type: 'p2sh',
        script: bytesToHex(encode(statelessScriptCodec, unlock.script)),
        params: unlock.parameters.map(shownVal),
      };
    case 'sameAsPrevious':
      return { type: 'sameAsPrevious' };
  }
};

const shownTokens = (tokens: readonly Token[]): unknown =>
  tokens.map(({ id, amount }) => ({ id, amount: amount.toString() }));

/** Without the address text, which the vectors of the address floor cover. */
const shownOutput = (output: Output, index: number, id: string, groups: number): object => {
  const lockupScript: LockupScript =
    output.kind === 'asset' ? output.lockupScript : { kind: 'p2c', contractId: output.contractId };
  return {
    outputIndex: index,
    ...referenceOf(output, id, index),
    attoCoinAmount: output.amount.toString(),
    lockupScript: bytesToHex(encode(lockupScriptCodec, lockupScript)),
    tokens: shownTokens(output.tokens),
    ...(output.kind === 'asset'
      ? {
          group: groupOfLockupScript(output.lockupScript, groups),
          lockTime: Number(output.lockTime),
          additionalData: bytesToHex(output.additionalData),
        }
      : {}),
  };
};

const shownReference = ({ hint, key }: OutputReference): object => ({ hint, key });

const shownUnsigned = (unsigned: UnsignedTransaction, groups: number): object => ({
  version: unsigned.version,
  networkId: unsigned.networkId,
  script: unsigned.script ? bytesToHex(encode(statefulScriptCodec, unsigned.script)) : null,
  ...(unsigned.script ? { scriptMethods: shownMethods(unsigned.script) } : {}),
  gasAmount: unsigned.gasAmount,
  gasPrice: unsigned.gasPrice.toString(),
  inputs: unsigned.inputs.map(({ outputReference, unlockScript }) => ({
    ...shownReference(outputReference),
    group: groupOfReference(outputReference, groups),
    unlockScript: bytesToHex(encode(unlockScriptCodec, unlockScript)),
    unlock: shownUnlockScript(unlockScript),
  })),
  fixedOutputs: unsigned.fixedOutputs.map((output, i) => shownOutput(output, i, transactionId(unsigned), groups)),
});

export const shownTemplate = (template: TransactionTemplate, groups: number): object => ({
  ...shownUnsigned(template.unsigned, groups),
  inputSignatures: template.inputSignatures.map(bytesToHex),
  scriptSignatures: template.scriptSignatures.map(bytesToHex),
});

export const shownTransaction = (transaction: Transaction, groups: number): object => ({
  ...shownTemplate(transaction, groups),
  scriptExecutionOk: transaction.scriptExecutionOk,
  contractInputs: transaction.contractInputs.map(shownReference),
  generatedOutputs: outputsOf(transaction)
    .map((output, i) => ({ type: output.kind, ...shownOutput(output, i, transactionId(transaction.unsigned), groups) }))
    .slice(transaction.unsigned.fixedOutputs.length),
});
