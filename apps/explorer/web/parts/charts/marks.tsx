import { timeMark } from './geometry.js';
import { type Plot, timeMarks, valueMarks } from './plot.js';

interface MarksProps {
  readonly plot: Plot;
  /** A value as text. */
  readonly scale: (value: number) => string;
}

/** The marks of both axes, with a line for each value. */
export const Marks = ({ plot, scale }: MarksProps) => {
  const { area, from, to, xOf, yOf } = plot;
  return (
    <g class="marks">
      {valueMarks(plot).map((value) => (
        <g key={value}>
          <line x1={area.left} x2={area.right} y1={yOf(value)} y2={yOf(value)} />
          <text x={area.left - 8} y={yOf(value)} dy="4" text-anchor="end">
            {scale(value)}
          </text>
        </g>
      ))}
      {timeMarks(plot).map((time) => (
        <text key={time} x={xOf(time)} y={area.bottom + 20} text-anchor="middle">
          {timeMark(time, to - from)}
        </text>
      ))}
    </g>
  );
};
