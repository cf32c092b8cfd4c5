import { BoundedReader, decodeFrom, DecodeError, parseHex } from '@shardnode/protocol/encoding';
import { buildOutcome, checkBuilt, type BuildOutcome } from '@shardnode/protocol/building';
import { maxInputs, maxMultisigKeys, maxOutputs } from '@shardnode/protocol/primitives';
import { unsignedTransactionCodec, type UnsignedTransaction } from '@shardnode/protocol/transaction';
import { ServiceError } from '@shardnode/core/errors';
import { counted } from '@shardnode/protocol/validation';
import { errorOf } from '@shardnode/http';

/** The value of a builder. Throws its refusal as an error. */
export const builtOrRefused = <Value>(outcome: BuildOutcome<Value>): Value => {
  if (outcome.ok) return outcome.value;
  const { code, detail, facts } = outcome.refusal;
  throw new ServiceError('refused', code, detail ?? code, facts);
};

const field = 'unsignedTx';

const noTransaction = (reason: string): ServiceError =>
  errorOf('InvalidTransaction', `${field} is not an unsigned transaction: ${reason}`, { field, reason });

/**
 * Byte strings in a transaction. 256 inputs and outputs have a thousand, a script of 4,096 bytes at most 4,096, and gas
 * bounds the scripts of inputs.
 */
const mostByteStrings = 16_384;

/**
 * Steps 1 to 4 of protocol 07 §8.4: hexadecimal, decoding, inputs, fee.
 * @throws ServiceError
 */
export const readUnsignedTransaction = (text: string): UnsignedTransaction => {
  const bytes = parseHex(text);
  if (!bytes)
    throw errorOf('InvalidHex', `${field} is not hexadecimal: an even number of digits 0 to 9 and a to f.`, { field });
  try {
    const unsigned = decodeFrom(unsignedTransactionCodec, new BoundedReader(bytes, mostByteStrings));
    return builtOrRefused(buildOutcome(() => checkBuilt(unsigned)));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw noTransaction(error.message);
  }
};

/** The bound of protocol 02 §1 that the transaction exceeds, of those that keep its form short; undefined: none. */
const excessOf = ({ inputs, fixedOutputs }: UnsignedTransaction): string | undefined => {
  if (inputs.length > maxInputs) return `it has ${counted(inputs.length, 'input')}, at most ${maxInputs}`;
  if (fixedOutputs.length > maxOutputs)
    return `it has ${counted(fixedOutputs.length, 'output')}, at most ${maxOutputs}`;
  const keys = fixedOutputs.map(({ lockupScript }) =>
    lockupScript.kind === 'p2mpkh' ? lockupScript.publicKeyHashes.length : 0,
  );
  const at = keys.findIndex((count) => count > maxMultisigKeys);
  if (at === -1) return undefined;
  return `output ${at + 1} of ${keys.length} goes to an address of ${keys[at]} keys, at most ${maxMultisigKeys}`;
};

/**
 * Reads a transaction whose form is made. The time for an address in base58 grows with the square of its keys.
 * @throws ServiceError
 */
export const readShownTransaction = (text: string): UnsignedTransaction => {
  const unsigned = readUnsignedTransaction(text);
  const excess = excessOf(unsigned);
  if (excess !== undefined) throw noTransaction(excess);
  return unsigned;
};
