import { contractIdOf } from '@shardnode/protocol/address';
import { decode, DecodeError, sameBytes } from '@shardnode/protocol/encoding';
import {
  chainIndexOf,
  encodedWithId,
  type UnsignedTransaction,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type BuiltDeployment } from './contract-requests.js';
import { type BuiltTransaction } from './request-items.js';

/** A built transaction in the form of bus messages. */
export const builtTransaction = (unsigned: UnsignedTransaction, groups: number): BuiltTransaction => {
  const chain = chainIndexOf(unsigned, groups);
  if (!chain) throw new Error('a built transaction has no chain');
  const { bytes, txId } = encodedWithId(unsigned);
  return {
    unsignedTx: bytes,
    txId,
    gasAmount: unsigned.gasAmount,
    gasPrice: unsigned.gasPrice.toString(),
    fromGroup: chain.from,
    toGroup: chain.to,
  };
};

/** The same for a deployment: the contract's output is the first one that the script generates (protocol 01 §8.3). */
export const builtDeployment = (unsigned: UnsignedTransaction, groups: number): BuiltDeployment => {
  const built = builtTransaction(unsigned, groups);
  return { ...built, contractId: contractIdOf(built.txId, unsigned.fixedOutputs.length, built.fromGroup) };
};

/** The transaction that a group-node built; undefined for bytes that are none. */
export const readBuiltTransaction = (bytes: Uint8Array): UnsignedTransaction | undefined => {
  try {
    return decode(unsignedTransactionCodec, bytes);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
};

const parts = ['txId', 'gasAmount', 'gasPrice', 'fromGroup', 'toGroup', 'contractId'] as const;

/** Parts of the reply to a build that can differ from its transaction; `unsignedTx`: the bytes are no transaction. */
export const builtReplyDifferences = ['unsignedTx', ...parts] as const;
export type BuiltReplyDifference = (typeof builtReplyDifferences)[number];

/**
 * Whether the reply to a build says of the transaction what its bytes say. A client signs the id of a reply: that of another
 * transaction would be a signature under it. Undefined: it does.
 */
export const builtReplyDifference = (
  reply: BuiltTransaction | BuiltDeployment,
  groups: number,
): BuiltReplyDifference | undefined => {
  const unsigned = readBuiltTransaction(reply.unsignedTx);
  if (!unsigned?.inputs.length) return 'unsignedTx';
  const own: Partial<BuiltDeployment> =
    'contractId' in reply ? builtDeployment(unsigned, groups) : builtTransaction(unsigned, groups);
  const told: Partial<BuiltDeployment> = reply;
  if (!sameBytes(own.unsignedTx!, reply.unsignedTx)) return 'unsignedTx';
  return parts.find((part) => told[part] !== own[part]);
};
