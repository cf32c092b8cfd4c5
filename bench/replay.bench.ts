/** The history of transfers, all rules and signatures: in memory, and through four group-nodes over the embedded database. */
import { hexToBytes } from '@shardnode/protocol/encoding';
import { MemoryNode, memoryNodeTarget } from '@shardnode/testing/memory-node';
import { readHistory, type ReplayTarget } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { openEmbeddedTarget } from '../tools/replay/embedded-target.js';
import { counted, isShort, printRows } from './rows.js';

const history = readHistory(historyFolder('chain-transfers'));
const blocks = history.blocks.map(({ raw }) => hexToBytes(raw));

/** Blocks per second, until the last one is stored. */
const rateOf = async (target: ReplayTarget): Promise<number> => {
  const started = performance.now();
  for (const raw of blocks) {
    const { kind } = await target.importBlock(raw);
    if (kind !== 'added') throw new Error(`a block of the history is ${kind}`);
  }
  // Answered when everything is stored.
  await target.chainState({ from: 0, to: 0 });
  const rate = (1000 * blocks.length) / (performance.now() - started);
  await target.close();
  return rate;
};

const several = async (times: number, open: () => ReplayTarget | Promise<ReplayTarget>): Promise<number[]> => {
  const rates: number[] = [];
  for (let i = 0; i < times; i++) rates.push(await rateOf(await open()));
  return rates;
};

const memory = await several(isShort ? 2 : 5, () => memoryNodeTarget(new MemoryNode(history.settings)));
const embedded = await several(isShort ? 1 : 3, () => openEmbeddedTarget(history));
const cold = ([first]: number[]): string => `cold ${counted(first!, 'blocks/s')}`;
printRows([
  { row: 'in memory', figure: counted(Math.max(...memory), 'blocks/s'), bar: '1,000 blocks/s', beside: cold(memory) },
  {
    row: 'through the database',
    figure: counted(Math.max(...embedded), 'blocks/s'),
    bar: '500 blocks/s',
    beside: cold(embedded),
  },
]);
process.exit();
