import { type UtxoSize } from '../../store/forms.js';

/** Unspent outputs of about one size: a bar of the picture. */
export interface Bin {
  /** Least amount, attoCoin; 0 in the first one if it holds all that is smaller. */
  readonly from: bigint;
  readonly number: number;
  /** Sum, attoCoin. */
  readonly amount: bigint;
}

/** Bins of the picture: as many as there are sizes, within these bounds. */
export const binCounts = { fewest: 12, most: 18 } as const;

/** First digits of the sizes that the API counts, in each power of ten. */
const firstDigits = [1n, 2n, 5n] as const;
const stepsOfPower = firstDigits.length;

/** The number of a size among all: 1, 2, 5, 10, 20 and so on. */
const stepOf = (from: string): number =>
  stepsOfPower * (from.length - 1) + firstDigits.indexOf(BigInt(from[0]!) as (typeof firstDigits)[number]);

const amountOfStep = (step: number): bigint =>
  firstDigits[step % stepsOfPower]! * 10n ** BigInt(Math.floor(step / stepsOfPower));

/**
 * Bins, each as wide as the others on a scale of powers: of one size each where 18 are enough, else 12 of three, which is
 * a power of ten. What lies below them all joins the first.
 *
 * @param sizes that occur, the smallest first; at least one
 */
export const binsOf = (sizes: readonly UtxoSize[]): Bin[] => {
  const steps = sizes.map(({ from }) => stepOf(from));
  const [least, most] = [steps[0]!, steps.at(-1)!];
  const isFine = most - least < binCounts.most;
  const width = isFine ? 1 : stepsOfPower;
  const [first, last] = [Math.floor(least / width), Math.floor(most / width)];
  const count = isFine ? Math.max(binCounts.fewest, last - first + 1) : binCounts.fewest;
  const free = count - (last - first + 1);
  const start = Math.max(0, free < 0 ? first - free : first - Math.floor(free / 2));
  return Array.from({ length: count }, (_, i) => {
    const inBin = sizes.filter((_size, at) => Math.max(start, Math.floor(steps[at]! / width)) === start + i);
    return {
      from: i === 0 && start > first ? 0n : amountOfStep((start + i) * width),
      number: inBin.reduce((sum, { utxoNumber }) => sum + utxoNumber, 0),
      amount: inBin.reduce((sum, { attoCoinAmount }) => sum + BigInt(attoCoinAmount), 0n),
    };
  });
};

/** Height of a bar from 0 to 1: the most are 1, and a single output is seen still. */
export const heightOf = (number: number, most: number): number => (number === 0 ? 0 : Math.max(0.03, number / most));

/** Outputs that are many and worth little. */
export interface Dust {
  /** They are smaller than this, attoCoin. */
  readonly below: bigint;
  readonly number: number;
  /** Sum, attoCoin. */
  readonly amount: bigint;
}

const fewestOfDust = 20;
/** Share of the dust that a bin has at least, so that its size belongs to it: a tenth. */
const binShare = 10;
/** Share of the whole that dust has at most: a tenth. */
const dustShare = 10n;

/** The largest size below which many outputs have together little; undefined: there is none. */
export const dustOf = (bins: readonly Bin[]): Dust | undefined => {
  const whole = bins.reduce((sum, { amount }) => sum + amount, 0n);
  let found: Dust | undefined;
  let below = { number: 0, amount: 0n };
  for (const [i, { number, amount }] of bins.entries()) {
    below = { number: below.number + number, amount: below.amount + amount };
    const next = bins[i + 1];
    if (next === undefined || below.amount * dustShare > whole) break;
    if (below.number >= fewestOfDust && number * binShare >= below.number) found = { below: next.from, ...below };
  }
  return found;
};

/** Sizes in coins that are written with a letter, from the largest. */
const letters = [
  [10n ** 9n, 'G'],
  [10n ** 6n, 'M'],
  [10n ** 3n, 'k'],
] as const;
const attoDigits = 18;
/** Decimals that are written out. */
const writtenDecimals = 3;
const raised = (number: number): string => [...String(number)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');

/** A size in coins, short: `2M`, `500`, `0.05`, `5·10⁻⁷`. @param from attoCoin: one digit and zeros */
export const sizeText = (from: bigint): string => {
  const coin = 10n ** BigInt(attoDigits);
  const [factor, letter] = letters.find(([least]) => from >= least * coin) ?? [1n, ''];
  if (from >= coin) return `${from / (factor * coin)}${letter}`;
  const digits = String(from);
  const decimals = attoDigits - digits.length + 1;
  if (decimals <= writtenDecimals) return `0.${digits[0]!.padStart(decimals, '0')}`;
  return `${digits[0] === '1' ? '' : `${digits[0]}·`}10⁻${raised(decimals)}`;
};

/** Whether a size is a power of ten: those are enough at an axis. */
export const isPower = (from: bigint): boolean => /^10*$/.test(String(from));
