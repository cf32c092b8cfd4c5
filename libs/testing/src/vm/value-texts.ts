import { addressOf, parseAddress } from '@shardnode/protocol/address';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { type Val } from '@shardnode/protocol/script';

/** A value as the vectors write it: `<type> <value>`, numbers decimal, bytes hexadecimal, addresses in Base58. */
export const valueText = (val: Val): string => {
  switch (val.type) {
    case 'ByteVec':
      return `ByteVec ${bytesToHex(val.value)}`;
    case 'Address':
      return `Address ${addressOf(val.value)}`;
    default:
      return `${val.type} ${val.value}`;
  }
};

const addressVal = (text: string): Val => {
  const value = parseAddress(text);
  if (!value) throw new Error(`no address: ${text}`);
  return { type: 'Address', value };
};

/** The value that such a text stands for. Throws for anything else. */
export const valueOfText = (text: string): Val => {
  const space = text.indexOf(' ');
  const [type, value] = space < 0 ? [text, ''] : [text.slice(0, space), text.slice(space + 1)];
  switch (type) {
    case 'Bool':
      return { type, value: value === 'true' };
    case 'I256':
    case 'U256':
      return { type, value: BigInt(value) };
    case 'ByteVec':
      return { type, value: hexToBytes(value) };
    case 'Address':
      return addressVal(value);
    default:
      throw new Error(`no value: ${text}`);
  }
};
