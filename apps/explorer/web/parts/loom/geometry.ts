/** The picture of the chains as numbers and paths: x is time, y is the chain. Lengths in pixels, times in milliseconds. */

interface Band {
  readonly group: number;
  readonly y: number;
  readonly height: number;
}

export interface Loom {
  readonly groups: number;
  readonly width: number;
  readonly height: number;
  /** Ends of the lanes; the right one is now. */
  readonly left: number;
  readonly now: number;
  readonly bands: readonly Band[];
  /** Middle of the lane of each chain, by its index. */
  readonly lanes: readonly number[];
  readonly laneHeight: number;
  readonly pillHeight: number;
}

/** Lanes share a height, so that 4 groups and 8 look alike: within limits, because texts stand on them. */
interface Shape {
  readonly lanes: number;
  readonly lane: readonly [least: number, most: number];
  /** Share of a lane, and most. */
  readonly pill: readonly [share: number, most: number];
  readonly padding: number;
  readonly gap: number;
  readonly left: number;
  readonly right: number;
}

const wide: Shape = { lanes: 480, lane: [13, 80], pill: [17 / 30, 22], padding: 5, gap: 9, left: 84, right: 140 };
const narrow: Shape = { lanes: 288, lane: [13, 48], pill: [11 / 18, 17], padding: 2, gap: 5, left: 46, right: 42 };

/** Below this width heights are left out, and lanes are as narrow as on a phone. */
export const narrowBelow = 620;

export const loomOf = (width: number, groups: number): Loom => {
  const { lanes: all, lane: limits, pill, padding, gap, left, right } = width < narrowBelow ? narrow : wide;
  const lane = Math.min(limits[1], Math.max(limits[0], Math.floor(all / groups ** 2)));
  const bandHeight = groups * lane + 2 * padding;
  const bands = Array.from({ length: groups }, (_, group) => ({
    group,
    y: group * (bandHeight + gap),
    height: bandHeight,
  }));
  const lanes = bands.flatMap(({ y }) => Array.from({ length: groups }, (_, to) => y + padding + lane * (to + 0.5)));
  return {
    groups,
    width,
    height: groups * (bandHeight + gap) - gap,
    left,
    now: Math.max(width - right, left + 1),
    bands,
    lanes,
    laneHeight: lane,
    pillHeight: Math.round(Math.min(pill[1], lane * pill[0])),
  };
};

/** How times become places: 0 is `origin`, in the part of the picture that moves. */
export interface TimeScale {
  readonly origin: number;
  readonly pixelsPerMs: number;
}

export const timeScale = (loom: Loom, windowMs: number, origin: number): TimeScale => ({
  origin,
  pixelsPerMs: (loom.now - loom.left) / windowMs,
});

export const placeOfTime = ({ origin, pixelsPerMs }: TimeScale, timestamp: number): number =>
  (timestamp - origin) * pixelsPerMs;

/** How far the moving part is shifted so that the time `now` stands at the right end. */
export const shiftAt = (loom: Loom, scale: TimeScale, now: number): number => loom.now - placeOfTime(scale, now);

export const narrowestPill = 9;
const widestPill = 35;
const heightOfThose = 17;

/** Grows with the square root of the transactions, from 9 to 35 for a height of 17. */
export const pillWidth = (transactions: number, pillHeight: number): number => {
  const width = Math.min(widestPill, narrowestPill + 4.5 * Math.sqrt(Math.max(0, transactions - 1)));
  return (width * pillHeight) / heightOfThose + 4;
};

const fixed = (value: number): string => String(Math.round(value * 100) / 100);
const path = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => (typeof part === 'number' ? fixed(part) : part)).join(' ');

/** Half of the width of the cut between the two colours: less in a narrow pill. */
const cutOf = (width: number): number => Math.min(0.8, width / 16);

/** A pill around 0, 0, cut by a slant: the half of the sending group, and that of the receiving group. */
export const pillHalves = (width: number, height: number): readonly [string, string] => {
  const [x, y] = [width / 2, height / 2];
  const radius = Math.min(height * 0.38, x - 1);
  const slant = Math.min(height * 0.16, x / 2);
  const cut = cutOf(width);
  const half = (side: 1 | -1): string => {
    const sweep = side === 1 ? 1 : 0;
    const arc = (toX: number, toY: number) => path('A', radius, radius, 0, 0, sweep, toX, toY);
    return [
      path('M', slant + side * cut, -y),
      path('H', side * (x - radius)),
      arc(side * x, -y + radius),
      path('V', y - radius),
      arc(side * (x - radius), y),
      path('H', -slant + side * cut),
      'Z',
    ].join(' ');
  };
  return [half(-1), half(1)];
};

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** From a block back to one that it rests on. Lies flat at both ends. */
export const threadPath = (from: Point, to: Point): string => {
  const bend = Math.max(14, Math.abs(from.x - to.x) * 0.45);
  return path('M', from.x, from.y, 'C', from.x - bend, from.y, to.x + bend, to.y, to.x, to.y);
};

/** Where values stand: the least 1 above the bottom, the most 1 below the top. */
const levelsOf = (values: readonly number[], height: number): ((value: number) => number) => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => (most === least ? height / 2 : height - ((value - least) / (most - least)) * (height - 2) - 1);
};

/** A line over values, from left to right, and the same closed below. The largest touches the top. */
export const sparkPaths = (
  values: readonly number[],
  width: number,
  height: number,
): { readonly line: string; readonly area: string } => {
  const level = levelsOf(values, height);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((value, i) => path(i === 0 ? 'M' : 'L', i * step, level(value)));
  const line = points.join(' ');
  return { line, area: `${line} ${path('L', width, height, 'L', 0, height, 'Z')}` };
};

/** A mark of the axis of time. */
export interface Tick {
  readonly x: number;
  readonly agoMs: number;
}

const tickSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].map((seconds) => seconds * 1_000);
const pixelsPerTick = 110;

/** Marks at round ages, as close as their texts allow; none at now. */
export const ticksOf = (loom: Loom, windowMs: number): Tick[] => {
  const span = loom.now - loom.left;
  const step = tickSteps.find((ms) => (ms / windowMs) * span >= pixelsPerTick) ?? tickSteps.at(-1)!;
  const marks = Math.floor((windowMs - step * 0.2) / step);
  return Array.from({ length: marks }, (_, i) => {
    const agoMs = (i + 1) * step;
    return { agoMs, x: loom.now - (agoMs / windowMs) * span };
  });
};
