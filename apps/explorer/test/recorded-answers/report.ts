import { tableLines } from '@shardnode/core/terminal';
import { type Compared } from './run.js';

const most = 5;

const sum = (results: readonly Compared[], fits: (result: Compared) => boolean): string =>
  String(results.filter(fits).length);

const isEqual = ({ differences }: Compared): boolean => differences.length === 0;

/** Equal and different answers of each operation, then the first differences. */
export const reportLines = (results: readonly Compared[]): string[] => {
  const endpoints = [...new Set(results.map(({ endpoint }) => endpoint))].sort();
  const rowOf = (title: string, of: readonly Compared[]): string[] => [
    title,
    sum(of, isEqual),
    sum(of, (result) => !isEqual(result)),
  ];
  const rows = endpoints.map((endpoint) =>
    rowOf(
      endpoint,
      results.filter((result) => result.endpoint === endpoint),
    ),
  );
  const columns = [{ title: 'operation' }, { title: 'equal', right: true }, { title: 'different', right: true }];
  const different = results.filter(({ differences }) => differences.length > 0);
  return [
    ...tableLines(columns, [...rows, rowOf('all', results)]),
    ...different.flatMap(({ entry, differences }) => [
      '',
      `${entry.id} ${entry.method} ${entry.path}, after ${entry.blocks} blocks`,
      ...differences.slice(0, most).map((difference) => `  ${difference}`),
    ]),
  ];
};
