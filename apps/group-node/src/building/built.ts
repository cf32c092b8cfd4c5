import { ServiceError, type ErrorData } from '@shardnode/core/errors';
import { type BuiltTransaction } from '@shardnode/messages';
import { encode } from '@shardnode/protocol/encoding';
import {
  chainIndexOf,
  transactionId,
  type UnsignedTransaction,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type Refusal } from '@shardnode/protocol/validation';

/** A built transaction as services tell it to each other. */
export const builtTransaction = (unsigned: UnsignedTransaction, groups: number): BuiltTransaction => {
  const chain = chainIndexOf(unsigned, groups);
  if (!chain) throw new Error('a built transaction has no chain');
  return {
    unsignedTx: encode(unsignedTransactionCodec, unsigned),
    txId: transactionId(unsigned),
    gasAmount: unsigned.gasAmount,
    gasPrice: unsigned.gasPrice.toString(),
    fromGroup: chain.from,
    toGroup: chain.to,
  };
};

/** The refusal of a builder, with the text that tools match. */
export const refusalError = ({ code, detail }: Refusal, data: ErrorData = {}): ServiceError =>
  new ServiceError('refused', code, detail ?? code, data);
