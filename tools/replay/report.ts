import { type Differences } from '@shardnode/testing/replay';

const width = 30;

/** A bar on a terminal; nothing elsewhere. */
export const progressBar = (title: string, total: number): ((count: number) => void) => {
  if (!process.stderr.isTTY) return () => undefined;
  const started = performance.now();
  let shown = 0;
  return (count) => {
    const now = performance.now();
    if (count < total && now - shown < 100) return;
    shown = now;
    const filled = Math.round((width * count) / Math.max(1, total));
    const rate = Math.round((1000 * count) / Math.max(1, now - started));
    const bar = '#'.repeat(filled).padEnd(width, '.');
    process.stderr.write(`\r${title} [${bar}] ${count}/${total} ${rate}/s ${count >= total ? '\n' : ''}`);
  };
};

const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 3)}...`;

const most = 40;

/** A table of the first differences. */
export const differencesTable = ({ list }: Differences): string => {
  const rows = list.slice(0, most).map((row) => [row.where, row.what, row.expected, row.actual]);
  const table = [['where', 'what', 'expected', 'actual'], ...rows].map((row) =>
    row.map((cell, column) => shortened(cell, column < 2 ? 70 : 150)),
  );
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  if (list.length > most) lines.push(`... and ${list.length - most} more`);
  return lines.join('\n');
};
