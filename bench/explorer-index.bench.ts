/**
 * The explorer's index over PostgreSQL: applying blocks in the batches of the first synchronisation and one by one, and
 * undoing the top of a chain. Each block has three transactions: two transfers, and the coinbase.
 */
import { type Index, openIndex } from '@shardnode/explorer';
import { developmentNetwork } from '@shardnode/protocol/network';
import { allChainIndexes } from '@shardnode/protocol/primitives';
import { median } from '@shardnode/testing/statistics';
import { Blocks, transactionsPerBlock } from '../apps/explorer/test/support/made-blocks.js';
import { withExplorerDatabase } from './explorer-database.js';
import { counted, isShort, printRows } from './rows.js';
import { hasServers } from './servers.js';

const { groups } = developmentNetwork;
const chains = allChainIndexes(groups);
const perBatch = 500;
const blockCount = isShort ? 200 : 2_000;
const singleCount = isShort ? 20 : 200;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const measure = async (index: Index): Promise<void> => {
  const blocks = new Blocks();
  await index.apply([...blocks.genesis, ...blocks.take(perBatch)]);
  const many = blocks.take(blockCount);
  const inBatches = await timed(async () => {
    for (let start = 0; start < many.length; start += perBatch) await index.apply(many.slice(start, start + perBatch));
  });
  const single: number[] = [];
  for (const block of blocks.take(singleCount)) single.push(await timed(() => index.apply([block])));
  const top = Array.from({ length: isShort ? 10 : 200 }, () => blocks.next(0));
  await index.apply(top);
  const forkHeight = top[0]!.height - 1;
  const undoing = await timed(() => index.reorganise(chains[0]!, forkHeight, []));
  const rate = (blockCount * 1_000) / inBatches;
  printRows([
    {
      row: `${counted(blockCount, 'blocks')} in batches of ${perBatch}`,
      figure: counted(rate, 'blocks/s'),
      bar: '2,500 blocks/s',
      beside: counted(rate * transactionsPerBlock, 'transactions/s'),
    },
    { row: 'one block', figure: `${median(single).toFixed(1)} ms`, beside: 'median' },
    { row: `undo of ${top.length} blocks`, figure: `${undoing.toFixed(0)} ms` },
  ]);
};

const main = async (): Promise<void> => {
  if (!hasServers()) return;
  await withExplorerDatabase(async (database) => measure(openIndex({ database, groups })));
};

await main();
