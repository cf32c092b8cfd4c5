import { decode, DecodeError, encode, parseHex } from '@shardnode/protocol/encoding';
import { textLengths } from '@shardnode/messages';
import { contractCodec, type Contract } from '@shardnode/protocol/script';
import { developmentValues, mistake, type Leaf } from '@shardnode/http';

/** A contract with its canonical bytes. */
export interface ReadContract {
  readonly contract: Contract;
  readonly code: Uint8Array;
}

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
      return mistake(`expected a serialized contract, but its bytes do not decode: ${error.message}`);
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
