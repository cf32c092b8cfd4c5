import { ByteReader, decode, DecodeError, encode, parseHex } from '@shardnode/protocol/encoding';
import { textLengths } from '@shardnode/messages';
import { contractCodec, type Contract, valsCodec } from '@shardnode/protocol/script';
import { developmentValues, mistake, type Leaf } from '@shardnode/http';

/** A contract with its canonical bytes. */
export interface ReadContract {
  readonly contract: Contract;
  readonly code: Uint8Array;
}

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

/** A contract in a request, as hexadecimal digits. */
export const contractCode: Leaf<ReadContract> = {
  expects: 'the hexadecimal digits of a serialized contract',
  read: (raw) => {
    const bytes = typeof raw === 'string' ? parseHex(raw) : undefined;
    if (!bytes) return undefined;
    try {
      const contract = decode(contractCodec, bytes);
      return { contract, code: encode(contractCodec, contract) };
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
