import { contractIdOf } from '@shardnode/http/page-paths';
import { type Val } from './contract-forms.js';

/** What people write for arguments of contract functions, as values of the machine. */

const u256Bound = 1n << 256n;
const i256Bound = 1n << 255n;

/** Digits may have commas, blanks or underscores between them. */
const wholeNumber = (text: string): bigint | undefined => {
  const digits = text.replaceAll(/(?<=\d)[ ,_](?=\d)/g, '');
  return /^[+-]?\d{1,78}$/.test(digits) ? BigInt(digits.replace('+', '')) : undefined;
};

const bytes = (text: string): string | undefined => {
  const digits = text.replace(/^0x/, '').toLowerCase();
  return /^([0-9a-f]{2})*$/.test(digits) ? digits : undefined;
};

const idLength = 64;

const contractId = (text: string): string | undefined => {
  const id = contractIdOf(text) ?? bytes(text);
  return id?.length === idLength ? id : undefined;
};

const orUndefined = (type: 'U256' | 'I256' | 'ByteVec' | 'Address', value: string | undefined): Val | undefined =>
  value === undefined ? undefined : { type, value };

/**
 * The value of a written argument; undefined for a text that is none of the type.
 * @param type of the machine, or the name of a contract
 * @param addressNamed the address of an account by its name
 */
export const argumentOf = (
  type: string,
  written: string,
  addressNamed: (name: string) => string | undefined = () => undefined,
): Val | undefined => {
  const text = written.trim();
  switch (type) {
    case 'Bool':
      return text === 'true' || text === 'false' ? { type, value: text === 'true' } : undefined;
    case 'U256': {
      const number = wholeNumber(text);
      return number !== undefined && number >= 0n && number < u256Bound
        ? { type, value: number.toString() }
        : undefined;
    }
    case 'I256': {
      const number = wholeNumber(text);
      return number !== undefined && number >= -i256Bound && number < i256Bound
        ? { type, value: number.toString() }
        : undefined;
    }
    case 'ByteVec':
      return orUndefined(type, bytes(text));
    case 'Address': {
      const address = addressNamed(text) ?? text;
      return /^[1-9A-HJ-NP-Za-km-z]+$/.test(address) ? { type, value: address } : undefined;
    }
    default:
      return orUndefined('ByteVec', contractId(text));
  }
};
