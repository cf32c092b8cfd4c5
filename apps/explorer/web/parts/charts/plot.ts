import { type Values } from '../../store/statistics.js';

/** A chart of numbers over time as marks and paths. Lengths in pixels, times in milliseconds since 1970. */

export interface PlotArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** What fits into it: from the first bucket to the end of the last one, from 0 to a little above the largest value. */
export interface Plot {
  readonly area: PlotArea;
  readonly from: number;
  readonly to: number;
  readonly most: number;
  readonly xOf: (time: number) => number;
  readonly yOf: (value: number) => number;
}

const headroom = 1.08;

export const plotOf = (area: PlotArea, times: readonly number[], lengthMs: number, lines: readonly Values[]): Plot => {
  const [from, to] = [times[0]!, times.at(-1)! + lengthMs];
  const largest = Math.max(0, ...lines.flatMap((values) => values.map((value) => value ?? 0)));
  const most = largest > 0 ? largest * headroom : 1;
  return {
    area,
    from,
    to,
    most,
    xOf: (time) => area.left + ((time - from) / (to - from)) * (area.right - area.left),
    yOf: (value) => area.bottom - (value / most) * (area.bottom - area.top),
  };
};

const mostValueMarks = 6;

/** From mark to mark: 1, 2 or 5 times a power of ten, so that there are few. @param most above 0 */
const stepOf = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(most / mostValueMarks));
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => most / each <= mostValueMarks)!;
};

/** Where an axis begins: at 0, but just below values that differ by little of what they are. @param values at least 0 */
export const baseOf = (values: readonly number[]): number => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (most === least || least < (most - least) * mostValueMarks) return 0;
  const step = stepOf(most - least);
  return Math.floor(least / step) * step;
};

/** Values with a mark, few of them. */
export const valueMarks = ({ most }: Plot): number[] => {
  const step = stepOf(most);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
};

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 4, 7, 14, 28, 56].map((days) => days * dayMs),
];
const leastGap = 76;

/** Times with a mark, at full minutes, hours or days of UTC, far enough from each other for a label. */
export const timeMarks = ({ area, from, to }: Plot): number[] => {
  const pixelMs = (to - from) / Math.max(1, area.right - area.left);
  const step = steps.find((each) => each >= leastGap * pixelMs) ?? steps.at(-1)!;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => first + i * step);
};

const at = (value: number): string => String(Math.round(value * 10) / 10);

/** From value to value, over what is unknown between them. */
export const linePath = ({ xOf, yOf }: Plot, times: readonly number[], values: Values): string =>
  values
    .flatMap((value, i) => (value === undefined ? [] : [`${at(xOf(times[i]!))} ${at(yOf(value))}`]))
    .map((point, i) => `${i === 0 ? 'M' : 'L'}${point}`)
    .join('');

/** The line with what is below it. */
export const areaPath = (plot: Plot, times: readonly number[], values: Values): string => {
  const known = times.filter((_, i) => values[i] !== undefined);
  if (known.length === 0) return '';
  const { bottom } = plot.area;
  return `${linePath(plot, times, values)}V${at(bottom)}H${at(plot.xOf(known[0]!))}Z`;
};

/** A line that stays at each value until the next one, and at the last until the end; the same closed below. */
export const stepPaths = (
  { area, xOf, yOf }: Plot,
  times: readonly number[],
  values: readonly number[],
): { readonly line: string; readonly area: string } => {
  const steps = times.map((time, i) => {
    const [x, y] = [at(xOf(time)), at(yOf(values[i]!))];
    return i === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  const line = `${steps.join('')}H${at(area.right)}`;
  return { line, area: `${line}V${at(area.bottom)}H${at(xOf(times[0]!))}Z` };
};

const barPart = 0.7;
const widestBar = 64;

/** A bar for each bucket with a value above 0, which is always seen. */
export const barPaths = (
  { area, xOf, yOf }: Plot,
  times: readonly number[],
  lengthMs: number,
  values: Values,
): string =>
  values
    .flatMap((value, i) => {
      if (value === undefined || value <= 0) return [];
      const [left, right] = [xOf(times[i]!), xOf(times[i]! + lengthMs)];
      const width = Math.min(widestBar, (right - left) * barPart);
      const top = Math.min(yOf(value), area.bottom - 1);
      return [`M${at(left)} ${at(area.bottom)}V${at(top)}h${at(width)}V${at(area.bottom)}z`];
    })
    .join('');

/** The bucket at a time; undefined: none. */
export const bucketAt = (times: readonly number[], lengthMs: number, time: number): number | undefined => {
  const index = times.findLastIndex((start) => start <= time);
  return index < 0 || time >= times[index]! + lengthMs ? undefined : index;
};
