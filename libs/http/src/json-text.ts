/** Prefix of the digits of an integer literal; no other value contains it. */
const mark = '\u{f0001}integer ';
const markedLiteral = new RegExp(`"${mark}(-?[0-9]+)"`, 'gu');

/**
 * Compact JSON in which a bigint is an integer literal of full precision (protocol 07 §1.8). For the few responses with
 * a bigint; others use JSON.stringify.
 */
export const jsonTextWithIntegers = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${mark}${inner}` : inner)).replace(
    markedLiteral,
    '$1',
  );
