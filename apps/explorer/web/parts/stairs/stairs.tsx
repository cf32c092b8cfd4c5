import { type CountSince } from '../../store/confirmations.js';
import { now } from '../../store/network.js';
import { texts } from '../../texts.js';
import { count, span } from '../numbers.js';
import { marksAfter, type TimeAxis } from '../time-axis.js';
import { useWidth } from '../use-width.js';
import { stairsShape } from './geometry.js';

export interface Series {
  readonly name: string;
  /** Class of the colour. */
  readonly colour: string;
  /** Oldest first, not empty. */
  readonly counts: readonly CountSince[];
}

const height = 104;
const labels = 40;
const markPixels = 72;
const shortestMs = 2_000;

const Picture = ({
  series,
  since,
  width,
}: {
  readonly series: readonly Series[];
  readonly since: number;
  readonly width: number;
}) => {
  const oldest = Math.min(...series.map(({ counts }) => counts[0]!.timestamp));
  const start = Math.min(oldest, now.value - shortestMs);
  const axis: TimeAxis = { start, end: now.value, left: 6, right: width - labels };
  const { paths, lines } = stairsShape(
    series.map(({ counts }) => counts),
    axis,
    height,
  );
  // A text at the left end would be cut, or run into the next one; only the first one, a short word, stands there.
  const marks = marksAfter(axis, since, markPixels).filter(({ x, afterMs }) => afterMs === 0 || x >= markPixels / 2);
  const newest = series.map(({ name, counts }) => `${name} ${counts.at(-1)!.count}`);
  return (
    <svg
      width={width}
      height={height + 24}
      role="img"
      aria-label={texts.stairs.label(newest, span(now.value - oldest))}
    >
      {lines.map((y) => (
        <line key={y} class="stairs-line" x1={axis.left} x2={axis.right} y1={y} y2={y} />
      ))}
      {marks.map(({ x, afterMs }) => (
        <text key={afterMs} class="stairs-mark" x={x} y={height + 19} text-anchor={x < 20 ? 'start' : 'middle'}>
          {afterMs === 0 ? texts.stairs.block : `+ ${span(afterMs)}`}
        </text>
      ))}
      {paths.map(({ path, x, y, labelY }, i) => (
        <g key={series[i]!.name} class={series[i]!.colour}>
          <path class="stairs-path" d={path} />
          <circle cx={x} cy={y} r="3.5" />
          <text class="stairs-count" x={x + 9} y={labelY + 4}>
            {count(series[i]!.counts.at(-1)!.count)}
          </text>
        </g>
      ))}
    </svg>
  );
};

/** How the counts grew. @param since the time of the block, milliseconds since 1970 */
export const Stairs = ({ series, since }: { readonly series: readonly Series[]; readonly since: number }) => {
  const { element, width } = useWidth();
  return (
    <div class="stairs" ref={element}>
      {width > 0 && <Picture series={series} since={since} width={width} />}
    </div>
  );
};
