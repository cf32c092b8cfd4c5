import { tableLines } from '@shardnode/core/terminal';
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
  const columns = ['where', 'what', 'expected', 'actual'].map((title) => ({ title }));
  const rows = list
    .slice(0, most)
    .map((row) => [row.where, row.what, row.expected, row.actual])
    .map((row) => row.map((cell, column) => shortened(cell, column < 2 ? 70 : 150)));
  const rest = list.length > most ? [`... and ${list.length - most} more`] : [];
  return [...tableLines(columns, rows), ...rest].join('\n');
};
