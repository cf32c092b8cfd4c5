/**
 * The history of transfers, all rules and signatures: in memory, through four group-nodes over the embedded database, and
 * through four group-node processes over PostgreSQL and NATS.
 */
import { hexToBytes } from '@shardnode/protocol/encoding';
import { MemoryNode, memoryNodeTarget } from '@shardnode/testing/memory-node';
import { Differences, readHistory, replayInOrder, type ReplayTarget } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { openClusterTarget } from '../tools/replay/cluster-target.js';
import { openEmbeddedTarget } from '../tools/replay/embedded-target.js';
import { counted, isShort, printRows, type Row } from './rows.js';
import { hasServers } from './servers.js';

const history = readHistory(historyFolder(isShort ? 'chain-forks/views-a' : 'chain-transfers'));
const blocks = history.blocks.map(({ raw }) => hexToBytes(raw));

/** Blocks per second, until the last one is stored. */
const rateOf = async (target: ReplayTarget): Promise<number> => {
  const started = performance.now();
  if (target.importBlocks) {
    const bad = (await target.importBlocks(blocks)).find(({ kind }) => kind !== 'added' && kind !== 'buffered');
    if (bad) throw new Error(`a block of the history is ${bad.kind}`);
  } else {
    for (const raw of blocks) {
      const { kind } = await target.importBlock(raw);
      if (kind !== 'added') throw new Error(`a block of the history is ${kind}`);
    }
  }
  // Replies when everything is stored.
  await target.chainState({ from: 0, to: 0 });
  return (1000 * blocks.length) / (performance.now() - started);
};

/** The same with every recorded value compared, block by block. */
const comparedRateOf = async (target: ReplayTarget): Promise<number> => {
  const differences = new Differences();
  const started = performance.now();
  await replayInOrder(target, history, differences);
  await target.chainState({ from: 0, to: 0 });
  if (differences.list.length > 0) throw new Error(`${differences.list.length} values are not as recorded`);
  return (1000 * blocks.length) / (performance.now() - started);
};

const several = async (
  times: number,
  open: () => ReplayTarget | Promise<ReplayTarget>,
  rate: typeof rateOf = rateOf,
): Promise<number[]> => {
  const rates: number[] = [];
  for (let i = 0; i < times; i++) {
    const target = await open();
    rates.push(await rate(target));
    await target.close();
  }
  return rates;
};

const rowOf = (row: string, bar: string, rates: readonly number[]): Row => ({
  row,
  figure: counted(Math.max(...rates), 'blocks/s'),
  bar,
  beside: `cold ${counted(rates[0]!, 'blocks/s')}`,
});

const clusterRows = async (): Promise<Row[]> => {
  const open = (): Promise<ReplayTarget> => openClusterTarget(history);
  const alone = await several(isShort ? 1 : 3, open);
  if (isShort) return [rowOf('through the cluster', '300 blocks/s', alone)];
  const compared = await several(1, open, comparedRateOf);
  return [
    rowOf('through the cluster', '300 blocks/s', alone),
    rowOf('through the cluster one by one, all values compared', '300 blocks/s', compared),
  ];
};

const rows = [
  rowOf(
    'in memory',
    '1,000 blocks/s',
    await several(isShort ? 1 : 5, () => memoryNodeTarget(new MemoryNode(history.settings))),
  ),
  rowOf(
    'through the embedded network',
    '500 blocks/s',
    await several(isShort ? 1 : 3, () => openEmbeddedTarget(history)),
  ),
];
if (hasServers()) rows.push(...(await clusterRows()));
printRows(rows);
process.exit();
