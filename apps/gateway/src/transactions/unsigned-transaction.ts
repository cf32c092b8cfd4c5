import { decode, DecodeError, parseHex } from '@shardnode/protocol/encoding';
import { buildOutcome, checkBuilt, type BuildOutcome } from '@shardnode/protocol/building';
import { unsignedTransactionCodec, type UnsignedTransaction } from '@shardnode/protocol/transaction';
import { ServiceError } from '@shardnode/core/errors';
import { errorOf } from '@shardnode/http';

/** The value of a builder. Throws its refusal as an error. */
export const builtOrRefused = <Value>(outcome: BuildOutcome<Value>): Value => {
  if (outcome.ok) return outcome.value;
  const { code, detail, facts } = outcome.refusal;
  throw new ServiceError('refused', code, detail ?? code, facts);
};

const field = 'unsignedTx';

/**
 * Steps 1 to 4 of protocol 07 §8.4: hexadecimal, decoding, inputs, fee.
 * @throws ServiceError
 */
export const readUnsignedTransaction = (text: string): UnsignedTransaction => {
  const bytes = parseHex(text);
  if (!bytes)
    throw errorOf('InvalidHex', `${field} is not hexadecimal: an even number of digits 0 to 9 and a to f.`, { field });
  try {
    const unsigned = decode(unsignedTransactionCodec, bytes);
    return builtOrRefused(buildOutcome(() => checkBuilt(unsigned)));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { message: reason } = error;
    throw errorOf('InvalidTransaction', `${field} is not an unsigned transaction: ${reason}`, { field, reason });
  }
};
