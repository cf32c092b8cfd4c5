import { ServiceError, type ErrorData } from '@shardnode/core/errors';
import { type BuiltTransaction } from '@shardnode/messages';
import { chainIndexOf, encodedWithId, type UnsignedTransaction } from '@shardnode/protocol/transaction';
import { failureOf, type Refusal } from '@shardnode/protocol/validation';
import { failureData } from '../contracts/failure-data.js';

/** A built transaction as services tell it to each other. */
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

/** The refusal of a builder with its facts; where a script that was tried failed, where. */
export const refusalError = (refusal: Refusal, data: ErrorData = {}): ServiceError => {
  const { code, detail, facts } = refusal;
  const failure = failureOf(refusal);
  return new ServiceError('refused', code, detail ?? code, { ...facts, ...(failure && failureData(failure)), ...data });
};
