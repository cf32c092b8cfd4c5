import 'uplot/dist/uPlot.min.css';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type UPlot from 'uplot';
import { type Values } from '../../store/statistics.js';
import { shownTheme } from '../theme.js';
import { timeMark } from './geometry.js';

export interface ChartLine {
  readonly values: Values;
  /** A colour of `styles/colours.css`: `--group-0`. */
  readonly colour: string;
  readonly isBars?: boolean;
  readonly isFilled?: boolean;
}

export interface TimeChartProps {
  /** Beginnings of the buckets, milliseconds since 1970, oldest first. */
  readonly times: readonly number[];
  /** Of a bucket, milliseconds. */
  readonly lengthMs: number;
  readonly lines: readonly ChartLine[];
  /** A value as text, for the scale at the left. */
  readonly scale: (value: number) => string;
  /** The same scale in another unit, at the right. */
  readonly secondScale?: (value: number) => string;
  /** What the picture shows, as words. */
  readonly label: string;
  /** What is pointed at; undefined: nothing. */
  readonly onPoint: (index: number | undefined) => void;
}

const font = '12px ui-sans-serif, system-ui, sans-serif';
const [height, lowHeight, narrow] = [260, 200, 520];
const heightOf = (width: number): number => (width < narrow ? lowHeight : height);
/** Charts of a page point at the same time. */
const sync = { key: 'time', setSeries: false };
/** Pixels beside the last bucket: a label may stand below its end. */
const halfLabel = 22;
const barWidth = 0.7;

const dataOf = ({ times, lines }: TimeChartProps): UPlot.AlignedData => [
  [...times],
  ...lines.map(({ values }) => values.map((value) => value ?? null)),
];

type Draw = typeof UPlot;

const seriesOf = (
  { paths }: Draw,
  { values, colour, isBars, isFilled }: ChartLine,
  valueOf: (name: string) => string,
): UPlot.Series => ({
  stroke: valueOf(colour),
  width: isBars === true ? 0 : 1.8,
  spanGaps: true,
  fill: isBars === true ? valueOf(colour) : isFilled === true ? `${valueOf(colour)}1a` : undefined,
  // One value makes no line.
  points: { show: isBars !== true && values.filter((value) => value !== undefined).length === 1, size: 7 },
  ...(isBars === true && { paths: paths.bars!({ size: [barWidth, 64], align: 1, radius: 0.15 }) }),
});

const optionsOf = (draw: Draw, props: TimeChartProps, element: HTMLElement): UPlot.Options => {
  const { lines, scale, secondScale, onPoint, times, lengthMs } = props;
  const styles = getComputedStyle(element);
  const valueOf = (name: string): string => styles.getPropertyValue(name).trim();
  const width = element.clientWidth;
  const look = { stroke: valueOf('--quiet'), font, ticks: { show: false }, gap: 8 };
  const grid = { stroke: valueOf('--hairline'), width: 1 };
  const [from, to] = [times[0]!, times.at(-1)! + lengthMs];
  return {
    width,
    height: heightOf(width),
    ms: 1,
    padding: [10, secondScale === undefined || width < narrow ? halfLabel : 0, 0, 0],
    legend: { show: false },
    cursor: { sync, points: { size: 7 }, drag: { x: false, y: false }, y: false },
    scales: { x: { range: () => [from, to] }, y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] } },
    series: [{}, ...lines.map((line) => seriesOf(draw, line, valueOf))],
    axes: [
      {
        ...look,
        grid: { show: false },
        space: 76,
        size: 30,
        values: (_, splits) => splits.map((at) => timeMark(at, to - from)),
      },
      { ...look, grid, size: 64, values: (_, splits) => splits.map(scale) },
      ...(secondScale === undefined || width < narrow
        ? []
        : [
            {
              ...look,
              scale: 'y',
              side: 1 as const,
              size: 64,
              grid: { show: false },
              values: (_: UPlot, splits: number[]) => splits.map(secondScale),
            },
          ]),
    ],
    tzDate: (at) => draw.tzDate(new Date(at), 'Etc/UTC'),
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
  };
};

/** Makes a chart that follows the width of its element. @returns what ends it */
const drawn = (draw: Draw, props: TimeChartProps, element: HTMLElement): readonly [UPlot, () => void] => {
  const made = new draw(optionsOf(draw, props, element), dataOf(props), element);
  const onSize = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry!.contentRect.width);
    if (width !== made.width) made.setSize({ width, height: heightOf(width) });
  });
  onSize.observe(element);
  const end = (): void => {
    onSize.disconnect();
    made.destroy();
  };
  return [made, end];
};

/** Numbers over time, drawn by uPlot, which is read when a chart is shown. The table beside it says the same as text. */
export const TimeChart = (props: TimeChartProps) => {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot | undefined>(undefined);
  const latest = useRef(props);
  const { times, lines, lengthMs } = props;
  const shown = shownTheme.value;
  useLayoutEffect(() => {
    const parent = element.current!;
    // Nothing below moves when the chart comes.
    parent.style.minHeight = `${heightOf(parent.clientWidth)}px`;
  }, []);
  useEffect(() => {
    const leaving = new AbortController();
    void import('uplot').then(({ default: draw }) => {
      if (leaving.signal.aborted) return;
      const [made, end] = drawn(draw, latest.current, element.current!);
      chart.current = made;
      leaving.signal.addEventListener('abort', end);
    });
    return () => {
      chart.current = undefined;
      leaving.abort();
    };
    // Another range has other marks.
  }, [shown, times[0], times.length, lengthMs, lines.length]);
  useEffect(() => {
    const isNew = latest.current.lines !== lines;
    latest.current = props;
    if (isNew) chart.current?.setData(dataOf(props));
  });
  return <div ref={element} class="time-chart" role="img" aria-label={props.label} />;
};
