import { isI256, isU256 } from '@shardnode/protocol/primitives';
import { compileError } from '../errors/compile-error.js';

/** A number as written: sign, exact value, and what a decimal has consumed behind itself (protocol 06 §2.3). */
export interface NumberToken {
  /**
   * The value without a bound would be too long for large exponents: 2^256 or more is given as its number of decimal
   * digits, of which the low 32 bits are still known.
   */
  readonly value: { readonly exact: bigint } | { readonly digits: number; readonly low32: number };
  readonly isNegative: boolean;
  /** Behind the text, without the spaces that a decimal consumes, with `alph`. */
  readonly end: number;
  /** Behind all that is consumed. */
  readonly consumedEnd: number;
}

const hexPattern = /0x[0-9a-fA-F]+/y;
const decimalPattern = /([0-9_]+)(?:\.([0-9_]+))?(?:e(-?[0-9]+))?/y;
const unitPattern = / *(alph(?![A-Za-z0-9_]))?/y;

const match = (pattern: RegExp, text: string, position: number): RegExpExecArray | undefined => {
  pattern.lastIndex = position;
  return pattern.exec(text) ?? undefined;
};

/** Decimal digits of 2^256: a value with more is out of every range. */
const longestValue = 78;
const unitExponent = 18;

/** `digits` without leading zeros, times ten to the power of `exponent`; undefined: not a whole number. */
const wholeNumber = (digits: string, exponent: number): NumberToken['value'] | undefined => {
  if (digits === '') return { exact: 0n };
  if (exponent < 0) {
    const cut = digits.length + exponent;
    return cut > 0 && /^0*$/.test(digits.slice(cut)) ? wholeNumber(digits.slice(0, cut), 0) : undefined;
  }
  const length = digits.length + exponent;
  if (length <= longestValue) return { exact: BigInt(digits) * 10n ** BigInt(exponent) };
  // 10^32 is a multiple of 2^32.
  const low = exponent >= 32 ? 0n : (BigInt(digits.slice(-64)) * 10n ** BigInt(exponent)) & 0xffff_ffffn;
  return { digits: length, low32: Number(low) };
};

const readDecimal = (text: string, sign: number): NumberToken | undefined => {
  const found = match(decimalPattern, text, sign);
  if (!found) return undefined;
  const [written, whole, fraction = '', power = '0'] = found;
  const end = sign + written.length;
  const unit = match(unitPattern, text, end)!;
  const consumedEnd = end + unit[0].length;
  const isAmount = unit[1] !== undefined;
  const [digits, decimals] = [whole!, fraction].map((part) => part.replaceAll('_', ''));
  const exponent = Number(power);
  const isWritten = digits! + decimals! !== '' && Math.abs(exponent) <= 2 ** 31 - (exponent < 0 ? 0 : 1);
  const mantissa = (digits! + decimals!).replace(/^0+/, '');
  const value = isWritten
    ? wholeNumber(mantissa, exponent - decimals!.length + (isAmount ? unitExponent : 0))
    : undefined;
  if (!value) throw compileError('invalidNumber', { start: sign, end });
  return { value, isNegative: false, end: isAmount ? consumedEnd : end, consumedEnd };
};

const readUnsigned = (text: string, start: number): NumberToken | undefined => {
  const hex = match(hexPattern, text, start);
  if (!hex) return readDecimal(text, start);
  const end = start + hex[0].length;
  const digits = hex[0].slice(2).replace(/^0+/, '');
  // A longer one than 64 digits is out of every range; its decimal length is not known without a conversion.
  const exact = BigInt(`0x0${digits.slice(0, 4_096)}`) << BigInt(4 * Math.max(0, digits.length - 4_096));
  return { value: { exact }, isNegative: false, end, consumedEnd: end };
};

/** The number at a position: `'-'? ( hexadecimal / decimal )`. @throws CompileError `Invalid number` */
export const readNumber = (text: string, start: number): NumberToken | undefined => {
  const isNegative = text[start] === '-';
  const token = readUnsigned(text, start + (isNegative ? 1 : 0));
  return token && { ...token, isNegative };
};

/** The value reduced to its low 32 bits, signed: what a size counts (protocol 06 §2.3). */
export const low32 = ({ value, isNegative }: NumberToken): number => {
  const low = 'exact' in value ? value.exact : BigInt(value.low32);
  return Number(BigInt.asIntN(32, isNegative ? -low : low));
};

const isInRange = { I256: isI256, U256: isU256 } as const;

/** The value as I256 or U256. @throws CompileError out of range */
export const valueInRange = ({ value, isNegative }: NumberToken, type: 'I256' | 'U256', start: number): bigint => {
  const sign = isNegative ? 1 : 0;
  if ('exact' in value) {
    const exact = isNegative ? -value.exact : value.exact;
    if (isInRange[type](exact)) return exact;
  }
  const width = sign + ('exact' in value ? value.exact.toString().length : value.digits);
  throw compileError('numberOutOfRange', { start, end: start + width }, { type });
};
