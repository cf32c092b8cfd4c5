import { u256Max } from './arithmetic.js';
import { oneCoin } from './constants.js';

const decimals = 18;
/** u256 has 78 digits: longer numbers are refused before parsing, which takes quadratic time. */
const maxDigits = 78;

const boundedNumber = (digits: string): bigint | undefined => {
  const significant = digits.replace(/^0+/, '');
  if (significant.length > maxDigits) return undefined;
  const value = BigInt(significant === '' ? '0' : significant);
  return value <= u256Max ? value : undefined;
};

/** `<decimal> COIN` as attoCoin, the coin's symbol being `symbol` (protocol 01 §10.1); undefined for any other text. */
export const parseCoinAmount = (text: string, symbol: string): bigint | undefined => {
  if (!text.endsWith(symbol)) return undefined;
  const number = /^(?:([0-9]+)|([0-9]*)\.([0-9]+)) *$/.exec(text.slice(0, text.length - symbol.length));
  if (!number) return undefined;
  const whole = number[1] ?? number[2] ?? '';
  const fraction = number[3] ?? '';
  if (fraction.length > decimals) return undefined;
  return boundedNumber(whole + fraction.padEnd(decimals, '0'));
};

/**
 * An amount of a request, as attoCoin: an integer literal of attoCoin or `<decimal> COIN` (protocol 01 §10.1).
 * Undefined for any other text and for amounts outside u256.
 */
export const parseAmount = (text: string, symbol: string): bigint | undefined => {
  const literal = /^([+-]?)([0-9]+)$/.exec(text);
  if (!literal) return parseCoinAmount(text, symbol);
  const value = boundedNumber(literal[2]!);
  return literal[1] === '-' && value !== 0n ? undefined : value;
};

/**
 * An amount of smallest units as a decimal number, exact, never in scientific form, without trailing zeros.
 * @param places digits after the point of a whole unit, at most 255; default: those of the coin
 */
export const plainDecimal = (amount: bigint, places = decimals): string => {
  const unit = 10n ** BigInt(places);
  const sign = amount < 0n ? '-' : '';
  const size = amount < 0n ? -amount : amount;
  const fraction = (size % unit).toString().padStart(places, '0').replace(/0+$/, '');
  return `${sign}${size / unit}${places === 0 || fraction === '' ? '' : `.${fraction}`}`;
};

/** The exact amount of attoCoin for people: `1.5 COIN`, `1E-18 COIN` (protocol 01 §10.2). */
export const formatAmountHint = (amount: bigint, symbol: string): string => {
  if (amount === 0n || amount >= oneCoin / 1_000_000n) return `${plainDecimal(amount)} ${symbol}`;
  const all = amount.toString();
  const digits = all.replace(/0+$/, '');
  const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
  return `${mantissa}E-${decimals - (all.length - 1)} ${symbol}`;
};

/**
 * The exact amount of attoCoin in both units: `0.001 {COIN} (1000000000000000 atto{Coin})`. The HTTP edge replaces the
 * coin's names in braces.
 */
export const amountText = (amount: bigint): string => `${plainDecimal(amount)} {COIN} (${amount} atto{Coin})`;

/** The amount of attoCoin inside execution error texts: the nearest double, `0.0011 <ticker>` (protocol 01 §10.2). */
export const formatAmountOfError = (amount: bigint, ticker: string): string => {
  if (amount === 0n) return `0 ${ticker}`;
  const value = Number(plainDecimal(amount));
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const withPoint = (digits: string): string => (digits.includes('.') ? digits : `${digits}.0`);
  if (value >= 1e-3 && value < 1e7) return `${withPoint(String(value))} ${ticker}`;
  return `${withPoint(mantissa)}E${Number(exponent)} ${ticker}`;
};
