/** The history of transfers through a whole node in memory, all rules and signatures: blocks per second. Bar: 1,000. */
import { hexToBytes } from '@shardnode/protocol/encoding';
import { MemoryNode } from '@shardnode/testing/memory-node';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';

const bar = 1000;
const history = readHistory(historyFolder('chain-transfers'));
const blocks = history.blocks.map(({ raw }) => hexToBytes(raw));

const rates = Array.from({ length: 5 }, () => {
  const node = new MemoryNode(history.settings);
  const started = performance.now();
  for (const raw of blocks) {
    const { kind } = node.importBlock(raw);
    if (kind !== 'added') throw new Error(`a block of the history is ${kind}`);
  }
  return (1000 * blocks.length) / (performance.now() - started);
});
const [cold] = rates;
const best = Math.max(...rates);
console.log(`${blocks.length} blocks: ${cold!.toFixed(0)} blocks/s cold, ${best.toFixed(0)} warm (bar ${bar})`);
process.exitCode = best >= bar ? 0 : 1;
