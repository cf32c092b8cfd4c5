interface Column {
  readonly title: string;
  /** Right-aligned, as numbers are. */
  readonly right?: boolean;
}

/** Columns of numbers. */
export const numberColumns = (...titles: readonly string[]): readonly Column[] =>
  titles.map((title) => ({ title, right: true }));

/** Lines of a table with columns of the necessary width. */
export const tableLines = (columns: readonly Column[], rows: readonly (readonly string[])[]): string[] => {
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ right }, i) => (right ? (cells[i] ?? '').padStart(widths[i]!) : (cells[i] ?? '').padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [line(columns.map(({ title }) => title)), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
};
