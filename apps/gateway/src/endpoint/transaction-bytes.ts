import { decode, DecodeError, parseHex } from '@shardnode/protocol/encoding';
import { buildOutcome, checkBuilt, type BuildOutcome } from '@shardnode/protocol/building';
import { unsignedTransactionCodec, type UnsignedTransaction } from '@shardnode/protocol/transaction';
import { ServiceError } from '@shardnode/core/errors';
import { errorOf } from '@shardnode/http';

/** The value of a builder, or its refusal as an error. */
export const builtOrRefused = <Value>(outcome: BuildOutcome<Value>): Value => {
  if (outcome.ok) return outcome.value;
  const { code, detail, facts } = outcome.refusal;
  throw new ServiceError('refused', code, detail ?? code, facts);
};

/** Its texts are exact (protocol 01 §1, 07 §8.4): the name of the field goes beside them. */
const field = 'unsignedTx';

/**
 * Steps 1 to 4 of protocol 07 §8.4: hexadecimal, decoding, inputs, fee.
 * @throws ServiceError
 */
export const readUnsignedTransaction = (text: string): UnsignedTransaction => {
  const bytes = parseHex(text);
  if (!bytes) throw errorOf('InvalidHex', 'Invalid hex', { field });
  try {
    const unsigned = decode(unsignedTransactionCodec, bytes);
    return builtOrRefused(buildOutcome(() => checkBuilt(unsigned)));
  } catch (error) {
    throw error instanceof DecodeError ? errorOf('InvalidTransaction', error.message, { field }) : error;
  }
};
