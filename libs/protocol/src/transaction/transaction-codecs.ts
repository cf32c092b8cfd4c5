import {
  type ByteWriter,
  type Codec,
  boolean,
  fixedBytes,
  i32,
  invalidValue,
  option,
  signedByte,
  u256,
  vector,
} from '../encoding/index.js';
import { assetOutputReferenceCodec, contractOutputReferenceCodec } from '../primitives/index.js';
import { statefulScriptCodec } from '../script/index.js';
import {
  type Transaction,
  type TransactionInput,
  type TransactionTemplate,
  type UnsignedTransaction,
} from './model.js';
import { assetOutputCodec, outputCodec } from './output-codecs.js';
import { unlockScriptCodec } from './unlock-script.js';

const gasAmount: Codec<number> = {
  write: i32.write,
  read: (reader) => {
    const value = i32.read(reader);
    if (value < 0) throw invalidValue(`Negative gas ${value}`);
    return value;
  },
};

const inputCodec: Codec<TransactionInput> = {
  write: (writer, input) => {
    assetOutputReferenceCodec.write(writer, input.outputReference);
    unlockScriptCodec.write(writer, input.unlockScript);
  },
  read: (reader) => ({
    outputReference: assetOutputReferenceCodec.read(reader),
    unlockScript: unlockScriptCodec.read(reader),
  }),
};

const script = option(statefulScriptCodec);
const inputs = vector(inputCodec);
const fixedOutputs = vector(assetOutputCodec);
const contractInputs = vector(contractOutputReferenceCodec);
const generatedOutputs = vector(outputCodec);
const signatures = vector(fixedBytes(64));

/** protocol 01 §11.1. Version, network, counts and amounts are rules of validation, not of decoding. */
export const unsignedTransactionCodec: Codec<UnsignedTransaction> = {
  write: (writer, transaction) => {
    signedByte.write(writer, transaction.version);
    signedByte.write(writer, transaction.networkId);
    script.write(writer, transaction.script);
    gasAmount.write(writer, transaction.gasAmount);
    u256.write(writer, transaction.gasPrice);
    inputs.write(writer, transaction.inputs);
    fixedOutputs.write(writer, transaction.fixedOutputs);
  },
  read: (reader) => ({
    version: signedByte.read(reader),
    networkId: signedByte.read(reader),
    script: script.read(reader),
    gasAmount: gasAmount.read(reader),
    gasPrice: u256.read(reader),
    inputs: inputs.read(reader),
    fixedOutputs: fixedOutputs.read(reader),
  }),
};

/** A full transaction without its unsigned part: the bytes of a Merkle leaf after the id (protocol 01 §11.4). */
export const writeAfterUnsigned = (writer: ByteWriter, transaction: Transaction): void => {
  boolean.write(writer, transaction.scriptExecutionOk);
  contractInputs.write(writer, transaction.contractInputs);
  generatedOutputs.write(writer, transaction.generatedOutputs);
  signatures.write(writer, transaction.inputSignatures);
  signatures.write(writer, transaction.scriptSignatures);
};

/** A transaction in its block form (protocol 01 §11.2). */
export const transactionCodec: Codec<Transaction> = {
  write: (writer, transaction) => {
    unsignedTransactionCodec.write(writer, transaction.unsigned);
    writeAfterUnsigned(writer, transaction);
  },
  read: (reader) => ({
    unsigned: unsignedTransactionCodec.read(reader),
    scriptExecutionOk: boolean.read(reader),
    contractInputs: contractInputs.read(reader),
    generatedOutputs: generatedOutputs.read(reader),
    inputSignatures: signatures.read(reader),
    scriptSignatures: signatures.read(reader),
  }),
};

/** The form before execution (protocol 01 §11.3). */
export const transactionTemplateCodec: Codec<TransactionTemplate> = {
  write: (writer, template) => {
    unsignedTransactionCodec.write(writer, template.unsigned);
    signatures.write(writer, template.inputSignatures);
    signatures.write(writer, template.scriptSignatures);
  },
  read: (reader) => ({
    unsigned: unsignedTransactionCodec.read(reader),
    inputSignatures: signatures.read(reader),
    scriptSignatures: signatures.read(reader),
  }),
};
