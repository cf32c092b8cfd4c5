import { ByteReader, decode, DecodeError, encode, parseHex } from '@shardnode/protocol/encoding';
import { textLengths } from '@shardnode/messages';
import { contractCodec, valsCodec } from '@shardnode/protocol/script';
import { codeFailure, developmentValues, mistake, type Leaf } from '@shardnode/http';

/**
 * Most digits of all contracts beside the tested one: those of 128 contracts of the largest size. A run loads at most 16
 * at a time (protocol 05 §1).
 */
const mostDigits = 1_048_576;

/** Why the contracts of a request are refused before any of them is decoded; undefined: they are not. */
export const refuseMuchCode = (contracts: readonly unknown[]): string | undefined => {
  const digits = contracts.reduce<number>((sum, sent) => {
    const bytecode = (sent as { readonly bytecode?: unknown } | null)?.bytecode;
    return typeof bytecode === 'string' ? sum + bytecode.length : sum;
  }, 0);
  if (digits <= mostDigits) return undefined;
  return `have ${digits} digits of bytecode together, at most ${mostDigits} are allowed: leave out contracts that the method does not call`;
};

const withoutLists =
  '; leave out the two lists of fields, which only a deployment has, and give them in their own fields';

/** Whether these are the bytes of a deployment. */
const hasFieldLists = (bytes: Uint8Array): boolean => {
  const reader = new ByteReader(bytes);
  try {
    for (const codec of [contractCodec, valsCodec, valsCodec]) codec.read(reader);
    return reader.remaining === 0;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return false;
  }
};

/**
 * A contract in a request, as hexadecimal digits; the value has its canonical bytes. The decoded contract is not
 * retained, because it may have a hundred times the memory of its bytes.
 */
export const contractCode: Leaf<Uint8Array> = {
  expects: 'the hexadecimal digits of a serialized contract',
  failure: codeFailure('stateful contract'),
  read: (raw) => {
    const bytes = typeof raw === 'string' ? parseHex(raw) : undefined;
    if (!bytes) return undefined;
    try {
      return encode(contractCodec, decode(contractCodec, bytes));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const advice = hasFieldLists(bytes) ? withoutLists : '';
      return mistake(`expected a serialized contract, but its bytes do not decode: ${error.message}${advice}`);
    }
  },
  meaning: {
    description: 'Serialized contract, hexadecimal',
    example: developmentValues.contract.code,
    type: 'string',
    format: 'hex',
    pattern: '^([0-9a-fA-F]{2})+$',
    maxLength: textLengths.hex,
  },
};
