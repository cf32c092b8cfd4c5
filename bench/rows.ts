import { numberColumns, tableLines } from '@shardnode/core/terminal';

export interface Row {
  readonly row: string;
  /** Of the embedded network, where `cluster` is there, too. */
  readonly figure: string;
  /** The same over PostgreSQL and NATS. */
  readonly cluster?: string;
  /** The figure to reach, if there is one. */
  readonly bar?: string;
  /** Further observations. */
  readonly beside?: string;
}

/** Seconds that bound each measurement. */
export const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);

/** A short run shows that the benchmarks work, on smaller data; its figures are not those of the documentation. */
export const isShort = seconds < 2;

const cellsOf = ({ row, figure, cluster = '', bar = '', beside = '' }: Row, hasCluster: boolean): string[] =>
  hasCluster ? [row, figure, cluster, bar, beside] : [row, figure, bar, beside];

/** An aligned table at the terminal. */
export const printRows = (rows: readonly Row[]): void => {
  const hasCluster = rows.some(({ cluster }) => cluster !== undefined);
  const figures = hasCluster ? numberColumns('embedded', 'cluster', 'bar') : numberColumns('figure', 'bar');
  const columns = [{ title: 'row' }, ...figures, { title: 'beside' }];
  const cells = rows.map((row) => cellsOf(row, hasCluster));
  console.log(tableLines(columns, cells).join('\n'));
};

/** The rows of the embedded network with the figures of the cluster beside them, by their names. */
export const besides = (embedded: readonly Row[], cluster: readonly Row[]): Row[] =>
  embedded.map((row) => {
    const same = cluster.find((other) => other.row === row.row);
    if (!same) return row;
    const beside = [row.beside, same.beside].filter((text) => text !== undefined).join(' | ');
    return { ...row, cluster: same.figure, ...(beside === '' ? {} : { beside }) };
  });

/** A whole number with separators, and its unit. */
export const counted = (value: number, unit: string): string => `${Math.round(value).toLocaleString('en-US')} ${unit}`;

/** Rows of a table of Markdown. */
export const markdownRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
