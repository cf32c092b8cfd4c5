import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Values } from '../../store/statistics.js';
import { useWidth } from '../use-width.js';
import { Marks } from './marks.js';
import { areaPath, barPaths, bucketAt, linePath, type Plot, plotOf } from './plot.js';

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
  /** A value as text. */
  readonly scale: (value: number) => string;
  /** What the picture shows, as words. */
  readonly label: string;
  /** What is pointed at; undefined: nothing. */
  readonly onPoint: (index: number | undefined) => void;
}

const [height, lowHeight, narrow] = [260, 200, 520];
const heightOf = (width: number): number => (width > 0 && width < narrow ? lowHeight : height);
/** Pixels for the marks at the left and below, and for half a label beside the last one. */
const margins = { left: 64, right: 22, top: 10, bottom: 30 };

/** The time that is pointed at: charts of a page point at the same. */
const pointedTime = signal<number | undefined>(undefined);

const Line = ({ line, plot, times, lengthMs }: { readonly line: ChartLine; readonly plot: Plot } & Buckets) => {
  const { values, colour, isBars, isFilled } = line;
  const style = { color: `var(${colour})` };
  if (isBars === true) return <path class="bars" style={style} d={barPaths(plot, times, lengthMs, values)} />;
  const known = times.flatMap((time, i) => (values[i] === undefined ? [] : [[time, values[i]] as const]));
  return (
    <g style={style}>
      {isFilled === true && <path class="area" d={areaPath(plot, times, values)} />}
      <path class="line" d={linePath(plot, times, values)} />
      {/* One value makes no line. */}
      {known.length === 1 && <circle cx={plot.xOf(known[0]![0])} cy={plot.yOf(known[0]![1])} r="3.5" />}
    </g>
  );
};

type Buckets = Pick<TimeChartProps, 'times' | 'lengthMs'>;

/** Numbers over time. The table beside it says the same as text. */
export const TimeChart = ({ times, lengthMs, lines, scale, label, onPoint }: TimeChartProps) => {
  const { element, width } = useWidth();
  const tall = heightOf(width);
  const area = { left: margins.left, right: width - margins.right, top: margins.top, bottom: tall - margins.bottom };
  const plot = plotOf(
    area,
    times,
    lengthMs,
    lines.map(({ values }) => values),
  );
  const pointed = pointedTime.value === undefined ? undefined : bucketAt(times, lengthMs, pointedTime.value);
  useEffect(() => onPoint(pointed), [pointed]);
  const onMove = ({ offsetX }: PointerEvent): void => {
    const part = (offsetX - area.left) / (area.right - area.left);
    pointedTime.value = plot.from + part * (plot.to - plot.from);
  };
  const x = pointed === undefined ? 0 : plot.xOf(times[pointed]!);
  return (
    <div ref={element} class="time-chart" role="img" aria-label={label}>
      <svg
        width={width}
        height={tall}
        aria-hidden="true"
        onPointerMove={onMove}
        onPointerLeave={() => void (pointedTime.value = undefined)}
      >
        {width > 0 && (
          <>
            <Marks plot={plot} scale={scale} />
            {lines.map((line) => (
              <Line key={line.colour} line={line} plot={plot} times={times} lengthMs={lengthMs} />
            ))}
            {pointed !== undefined && (
              <g class="pointed">
                <line x1={x} x2={x} y1={area.top} y2={area.bottom} />
                {lines.map(
                  ({ values, colour, isBars }) =>
                    values[pointed] !== undefined &&
                    isBars !== true && (
                      <circle
                        key={colour}
                        style={{ color: `var(${colour})` }}
                        cx={x}
                        cy={plot.yOf(values[pointed])}
                        r="3.5"
                      />
                    ),
                )}
              </g>
            )}
          </>
        )}
      </svg>
    </div>
  );
};
