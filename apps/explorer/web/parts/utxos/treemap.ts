import { hierarchy, treemap } from 'd3-hierarchy';

/** Pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Treemap {
  /** Of the first amounts, in their order. */
  readonly rectangles: readonly Rectangle[];
  /** Of the two or more amounts that come after them: each alone would be too small. */
  readonly rest?: Rectangle;
}

/** Pixels that a rectangle has at least in both directions, so that it is seen and can be pressed. */
export const leastSide = 4;
/** Pixels between rectangles. */
const gap = 2;
/** Pixels of what is last, where it is a strip across the picture. */
const leastStrip = 14;

/** Rectangles for weights, each in the corner that the ones before it leave. */
const squarified = (weights: readonly number[], width: number, height: number): Rectangle[] => {
  const root = hierarchy<number | readonly number[]>(weights, (node) => (typeof node === 'number' ? undefined : node));
  root.sum((node) => (typeof node === 'number' ? node : 0));
  const { children } = treemap<(typeof root)['data']>().size([width, height]).round(true).paddingInner(gap)(root);
  return children!.map(({ x0, y0, x1, y1 }) => ({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
};

/**
 * Rectangles whose areas are in the proportion of amounts. The smallest amounts are one rectangle together where each
 * would be too small; that one is seen in any case, and the others give way.
 *
 * @param amounts the largest first; at least one
 * @param width pixels, of all
 * @param height pixels, of all
 */
export const treemapOf = (amounts: readonly bigint[], width: number, height: number): Treemap => {
  const sumFrom = (from: number): number => Number(amounts.slice(from).reduce((sum, amount) => sum + amount, 0n));
  const least = (sumFrom(0) * leastStrip) / Math.max(width, height);
  for (let alone = amounts.length; ;) {
    const joined = alone < amounts.length ? [Math.max(least, sumFrom(alone))] : [];
    const all = squarified([...amounts.slice(0, alone).map(Number), ...joined], width, height);
    const thin = all.findIndex((each) => Math.min(each.width, each.height) < leastSide);
    if (thin < 0 || alone === 1)
      return amounts.length - alone > 1 ? { rectangles: all.slice(0, alone), rest: all[alone]! } : { rectangles: all };
    alone = Math.max(1, Math.min(thin, alone - 1));
  }
};
