/** A share as a number from 0 to 1: exact enough for a picture and for a percentage. */
export const shareOf = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((part * 10n ** 9n) / whole) / 1e9;

/** A part of a bar. */
export interface Segment {
  readonly x: number;
  readonly width: number;
}

/**
 * Parts of a bar one after the other, in proportion to their shares; what is left over at its right end is the rest.
 * A part that is there is at least `least` wide, so that it is seen; the others give way.
 *
 * @param shares from 0 to 1, together at most 1
 */
export const segmentsOf = (shares: readonly number[], width: number, least: number): Segment[] => {
  const wanted = shares.map((share) => (share > 0 ? Math.max(least, share * width) : 0));
  const sum = wanted.reduce((total, each) => total + each, 0);
  const scale = sum > width ? width / sum : 1;
  let x = 0;
  return wanted.map((each) => {
    const segment = { x, width: each * scale };
    x += segment.width;
    return segment;
  });
};
