export interface Row {
  readonly row: string;
  readonly figure: string;
  /** The figure to reach, if there is one. */
  readonly bar: string;
}

/** An aligned table at the terminal. */
export const printRows = (rows: readonly Row[]): void => {
  const all: Row[] = [{ row: 'row', figure: 'figure', bar: 'bar' }, ...rows];
  const width = (key: keyof Row): number => Math.max(...all.map((one) => one[key].length));
  const [first, second] = [width('row'), width('figure')];
  for (const { row, figure, bar } of all)
    console.log(`${row.padEnd(first)}  ${figure.padStart(second)}  ${bar}`.trimEnd());
};

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
