import { placeOf, type TimeAxis } from '../time-axis.js';

/** Counts over time as stairs. Pixels and milliseconds. */

/** A count from a moment on. */
export interface Stair {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly count: number;
}

export interface StairPath {
  readonly path: string;
  /** Its end, where the count of now stands. */
  readonly x: number;
  readonly y: number;
  /** Height of its label: none covers another. */
  readonly labelY: number;
}

export interface StairsShape {
  readonly axis: TimeAxis;
  readonly paths: readonly StairPath[];
  /** Heights of lines at round counts. */
  readonly lines: readonly number[];
}

const fixed = (value: number): string => String(Math.round(value * 100) / 100);

const labelHeight = 14;

/** Labels near their lines, from above down. */
const apart = (places: readonly number[]): number[] => {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]! || a - b);
  const labels = [...places];
  for (const [i, index] of order.entries())
    if (i > 0) labels[index] = Math.max(labels[index]!, labels[order[i - 1]!]! + labelHeight);
  return labels;
};

const lineSteps = [1, 2, 5, 10, 20, 50, 100, 200];
const mostLines = 4;

/**
 * @param series each oldest first, with at least one stair
 * @param axis ends now
 * @param height of the picture without its marks of time
 */
export const stairsShape = (series: readonly (readonly Stair[])[], axis: TimeAxis, height: number): StairsShape => {
  const counts = series.flat().map(({ count }) => count);
  const most = Math.max(1, ...counts);
  // The ground: no block, unless the first of them are not known.
  const least = Math.min(most - 1, Math.min(...counts) - 1);
  const levelOf = (count: number): number => height - ((count - least) / (most - least)) * (height - 8);
  const clamped = (timestamp: number): number => Math.min(axis.right, Math.max(axis.left, placeOf(axis, timestamp)));
  const ends = series.map((stairs) => levelOf(stairs.at(-1)!.count));
  const labels = apart(ends);
  const paths = series.map((stairs, i) => {
    const [first, ...more] = stairs as [Stair, ...Stair[]];
    const rises = more.map(({ timestamp, count }) => `H ${fixed(clamped(timestamp))} V ${fixed(levelOf(count))}`);
    const start = `M ${fixed(clamped(first.timestamp))} ${fixed(levelOf(first.count - 1))} V ${fixed(levelOf(first.count))}`;
    return {
      path: [start, ...rises, `H ${fixed(axis.right)}`].join(' '),
      x: axis.right,
      y: ends[i]!,
      labelY: labels[i]!,
    };
  });
  const step = lineSteps.find((each) => (most - least) / each <= mostLines) ?? most - least;
  const firstLine = Math.ceil(least / step) * step;
  const lines = Array.from({ length: Math.floor((most - firstLine) / step) + 1 }, (_, i) =>
    levelOf(firstLine + i * step),
  );
  return { axis, paths, lines };
};
