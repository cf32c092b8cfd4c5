import { smallestUnitOf, tokenDecimals } from '@shardnode/protocol/primitives/token-decimals';
import { type TokenMetadata } from '../store/forms.js';

/** The one place where amounts become text. An amount is a bigint, of the coin in attoCoin. */

const coinDecimals = 18;

const grouped = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');

interface Parts {
  readonly sign: string;
  readonly whole: string;
  /** Without zeros at its end. */
  readonly fraction: string;
}

const partsOf = (amount: bigint, decimals: number): Parts => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return {
    sign: amount < 0n ? '−' : '',
    whole: digits.slice(0, at),
    fraction: digits.slice(at).replace(/0+$/, ''),
  };
};

/** Every digit of an amount, with commas between thousands. */
export const fullAmount = (amount: bigint, decimals = coinDecimals): string => {
  const { sign, whole, fraction } = partsOf(amount, decimals);
  return `${sign}${grouped(whole)}${fraction === '' ? '' : `.${fraction}`}`;
};

const shownDecimals = 4;

/**
 * At most four decimals, cut and not rounded, at least two of an amount that has some; an amount below them shows the
 * number of its zeros: `0.0(7)123` is 0.0000000123 (protocol 08 §8.4).
 */
export const shortAmount = (amount: bigint, decimals = coinDecimals): string => {
  const { sign, whole, fraction } = partsOf(amount, decimals);
  if (fraction === '') return `${sign}${grouped(whole)}`;
  const zeros = fraction.length - fraction.replace(/^0+/, '').length;
  if (whole === '0' && zeros >= shownDecimals)
    return `${sign}0.0(${zeros})${fraction.slice(zeros, zeros + shownDecimals)}`;
  const shown = fraction.slice(0, shownDecimals).replace(/0+$/, '');
  return `${sign}${grouped(whole)}${shown === '' ? '' : `.${shown.padEnd(2, '0')}`}`;
};

/** With `+` or `−` before it; nothing before 0. */
export const signedAmount = (amount: bigint, decimals = coinDecimals): string =>
  `${amount > 0n ? '+' : ''}${shortAmount(amount, decimals)}`;

/** How amounts of a token are shown: in whole units, or in the smallest one where its issuer says more places than any amount has. */
export const shownIn = (
  metadata: Pick<TokenMetadata, 'decimals'> | undefined | null,
  symbol: string,
): { readonly decimals: number; readonly unit: string } => {
  const decimals = tokenDecimals(BigInt(metadata?.decimals ?? 0));
  return decimals === undefined ? { decimals: 0, unit: smallestUnitOf(symbol) } : { decimals, unit: symbol };
};
