import { tableLines } from '@shardnode/core/terminal';
import { type FuzzTally } from '@shardnode/testing/machine-fuzz';

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`;

/** A line that shows how far the work is, written over itself on a terminal, now and then elsewhere. */
export const progressLine = (title: string, total: number): ((done: number) => void) => {
  const began = performance.now();
  const { isTTY } = process.stderr;
  let shown = began;
  return (done) => {
    const now = performance.now();
    if (done < total && now - shown < (isTTY ? 200 : 30_000)) return;
    shown = now;
    const perProgram = (now - began) / done;
    const rate = Math.round(1000 / perProgram);
    const left = seconds(perProgram * (total - done));
    const text = `${title}: ${done} of ${total}, ${rate}/s, ${left} left`;
    process.stderr.write(isTTY ? `\r${text}  ${done >= total ? '\n' : ''}` : `${text}\n`);
  };
};

const mostEndings = 6;

const endingsText = (endings: ReadonlyMap<string, number>): string => {
  const sorted = [...endings].sort(([, a], [, b]) => b - a);
  const others = sorted.slice(mostEndings).reduce((sum, [, count]) => sum + count, 0);
  const texts = sorted.slice(0, mostEndings).map(([name, count]) => `${name} ${count}`);
  return [...texts, ...(others > 0 ? [`${sorted.length - mostEndings} others ${others}`] : [])].join(', ');
};

/** A table: what was run, how many, how they ended. */
export const summaryTable = ({ endings }: Pick<FuzzTally, 'endings'>, title = 'programs'): string => {
  const rows = [...endings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([row, counts]) => [row, String([...counts.values()].reduce((a, b) => a + b, 0)), endingsText(counts)]);
  return tableLines([{ title }, { title: 'runs', right: true }, { title: 'ended' }], rows).join('\n');
};

export const slowestTable = ({ slowest, overBound }: FuzzTally): string =>
  [
    `${overBound} above 50 ms of processor time; the slowest:`,
    ...slowest.map(({ index, cpu, ending }) => `  program ${index}: ${(cpu / 1000).toFixed(1)} ms, ${ending}`),
  ].join('\n');
