/**
 * A group-node over PostgreSQL with many headers: start, memory, import of new headers and reads of old blocks must not
 * grow with their number. BENCH_LENGTHS: numbers of headers, by commas.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { defaultNodeChoices } from '@shardnode/group-node';
import { lengthFigures, type LengthFigures, type LengthTask } from './length-process.js';
import { longNetwork, writeLongChains } from './long-chains.js';
import { counted, isShort, printRows, type Row } from './rows.js';
import { hasServers } from './servers.js';
import { benchServer, databaseOn, openAt, storeIn } from './silent-node.js';
import { temporaryFolder } from './temporary-folder.js';

const megabyte = 2 ** 20;
const { recentHeights } = defaultNodeChoices;
/** Headers with which the window of each chain is full. */
const full = isShort ? 2_000 : 20_000;
const usual = isShort ? '10000' : '100000,1000000';
const lengths = (process.env['BENCH_LENGTHS'] ?? usual).split(',').map(Number);
const following = isShort ? 400 : 4_000;
const reads = isShort ? 100 : 1_000;

const measure = async (length: number): Promise<LengthFigures> => {
  const folder = temporaryFolder();
  const server = await benchServer(folder.path);
  try {
    const place = await databaseOn(server, 'shardnode_group_0');
    const opened = await openAt(place);
    const { database, store } = await storeIn(longNetwork, opened);
    const began = performance.now();
    const chains = await writeLongChains(store, length, following, (blocks) => {
      if (blocks % 1_000_000 === 0)
        console.error(`${blocks} headers after ${Math.round((performance.now() - began) / 1000)} s`);
    });
    const { head } = chains;
    if (head) {
      // No block between has a state: the head is not moved, but set.
      const values = [hexToBytes(head.hash), head.timestamp];
      await database.query('set-head', `SELECT ${database.schema}.write_head($1, $2)`, values);
    }
    await database.script('ANALYZE');
    await opened.close();
    const file = join(folder.path, 'task.json');
    const { old, intervalFrom, next } = chains;
    const task: LengthTask = { place, recentHeights, reads, old, intervalFrom, next: next.map(bytesToHex) };
    writeFileSync(file, JSON.stringify(task));
    const figures = await lengthFigures(file);
    // The larger numbers take minutes to write.
    console.error(`${length} headers: ${JSON.stringify(figures)}`);
    return figures;
  } finally {
    await server.remove();
    folder.remove();
  }
};

const rowsOf = (length: number, figures: LengthFigures, empty: LengthFigures, window: LengthFigures): Row[] => {
  const what = `${length.toLocaleString('en-US')} headers`;
  const change = (100 * (figures.rate - window.rate)) / window.rate;
  return [
    {
      row: `start over ${what}`,
      figure: counted(figures.start, 'ms'),
      bar: '3,000 ms',
      beside: `${counted(figures.startProcessor, 'ms')} of a core`,
    },
    {
      row: `memory above that of an empty chain, ${what}`,
      figure: `${((figures.memory - empty.memory) / megabyte).toFixed(1)} MB`,
      bar: '60 MB',
    },
    {
      row: `import of new headers, ${what}`,
      figure: counted(figures.rate, '/s'),
      beside: `${figures.processor.toFixed(2)} ms of a core each; ${change >= 0 ? '+' : ''}${change.toFixed(0)} % of the rate over ${full.toLocaleString('en-US')}`,
    },
    ...Object.entries(figures.p99).map(([name, milliseconds]): Row => ({
      row: `${name} p99, ${what}`,
      figure: `${milliseconds.toFixed(1)} ms`,
      bar: '20 ms',
    })),
  ];
};

if (hasServers(['postgres'])) {
  const empty = await measure(0);
  const window = await measure(full);
  const rows = [...rowsOf(0, empty, empty, window), ...rowsOf(full, window, empty, window)];
  for (const length of lengths) rows.push(...rowsOf(length, await measure(length), empty, window));
  printRows(rows);
}
process.exit();
