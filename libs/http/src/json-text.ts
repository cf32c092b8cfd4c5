/** A text that no value of ours holds, before the digits of an integer literal. */
const mark = '\u{f0001}integer ';
const markedLiteral = new RegExp(`"${mark}(-?[0-9]+)"`, 'gu');

/**
 * Compact JSON in which a bigint is an integer literal of full precision (protocol 07 §1.8). For the few answers that have
 * one; JSON.stringify does the rest.
 */
export const jsonTextWithIntegers = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${mark}${inner}` : inner)).replace(
    markedLiteral,
    '$1',
  );
