export interface Row {
  readonly row: string;
  readonly figure: string;
  /** The figure to reach, if there is one. */
  readonly bar?: string;
  /** What else was seen. */
  readonly beside?: string;
}

/** Seconds that bound each measurement. */
export const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);

/** A short run shows that the benchmarks work, on smaller data; its figures are not those of the documentation. */
export const isShort = seconds < 2;

/** An aligned table at the terminal. */
export const printRows = (rows: readonly Row[]): void => {
  const cells = [['row', 'figure', 'bar', 'beside'], ...rows.map(cellsOf)];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  for (const [row, figure, bar, beside] of cells as [string, string, string, string][]) {
    const line = [row.padEnd(widths[0]!), figure.padStart(widths[1]!), bar.padStart(widths[2]!), beside];
    console.log(line.join('  ').trimEnd());
  }
};

const cellsOf = ({ row, figure, bar = '', beside = '' }: Row): string[] => [row, figure, bar, beside];

/** A whole number with separators, and its unit. */
export const counted = (value: number, unit: string): string => `${Math.round(value).toLocaleString('en-US')} ${unit}`;

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
