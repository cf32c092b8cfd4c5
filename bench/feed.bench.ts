/** Validation of blocks by one group-node while followers ask it for blocks 1,000 times a second (protocol 09 §11, check 5). */
import { ServiceError } from '@shardnode/core/errors';
import { developmentNetwork } from '@shardnode/protocol/network';
import { median, percentile } from '@shardnode/testing/statistics';
import { type Runs } from '../apps/group-node/src/contracts/runs.js';
import { type GroupNode } from '../apps/group-node/src/group-node.js';
import { FeedRpc } from '../apps/group-node/src/rpc/feed.js';
import { counted, isShort, printRows, seconds } from './rows.js';
import { embedded, importAll, silentNode } from './silent-node.js';
import { temporaryFolder } from './temporary-folder.js';
import { transferChain, withSpendableOutputs } from './transfer-chain.js';

const warmUp = isShort ? 1 : 5;
/** Blocks alone, and as many under the flood, in turns: both see the same chain and the same disk. */
const perTurn = isShort ? 1 : 5;
const turns = isShort ? 1 : Math.ceil(seconds * 2);
const perSecond = 1_000;

const settings = withSpendableOutputs(developmentNetwork);

/** Sends pulls of the whole chain until it is stopped; the bus would encode the replies. */
const flood = (node: GroupNode) => {
  const rpc = new FeedRpc(
    node,
    { coinSymbol: 'COIN', longestMessage: () => 8 * 2 ** 20 },
    node.feed,
    {} as Runs,
    node.importer,
    node.queue,
  );
  const counts = { served: 0, refused: 0, bytes: 0 };
  const pull = async (): Promise<void> => {
    try {
      const reply = await rpc.pull({ chainFrom: 0, chainTo: 0, locators: [] });
      counts.bytes += JSON.stringify(reply).length;
      counts.served++;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      counts.refused++;
    }
  };
  const pending = new Set<Promise<void>>();
  let owed = 0;
  let at = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    owed += ((now - at) * perSecond) / 1_000;
    at = now;
    for (; owed >= 1; owed--) {
      const work = pull().finally(() => pending.delete(work));
      pending.add(work);
    }
  }, 5);
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    await Promise.all(pending);
  };
  return { counts, stop };
};

const timed = async (node: GroupNode, blocks: readonly Uint8Array[]): Promise<number[]> => {
  const times: number[] = [];
  for (const block of blocks) {
    const began = performance.now();
    await importAll(node, [block]);
    times.push(performance.now() - began);
  }
  return times;
};

const folder = temporaryFolder();
const blocks = transferChain(settings, 'intra', warmUp + 2 * turns * perTurn);
const { node, close } = await silentNode(settings, await embedded(folder.path));
await timed(node, blocks.slice(0, warmUp));
const alone: number[] = [];
const beside: number[] = [];
const total = { served: 0, refused: 0, bytes: 0 };
for (let turn = 0; turn < turns; turn++) {
  const start = warmUp + 2 * turn * perTurn;
  alone.push(...(await timed(node, blocks.slice(start, start + perTurn))));
  const { counts, stop } = flood(node);
  beside.push(...(await timed(node, blocks.slice(start + perTurn, start + 2 * perTurn))));
  await stop();
  for (const key of ['served', 'refused', 'bytes'] as const) total[key] += counts[key];
}
await close();
folder.remove();
const ms = (value: number): string => `${value.toFixed(1)} ms`;
printRows([
  {
    row: 'block of 500 transfers, alone: p95',
    figure: ms(percentile(alone, 95)),
    beside: `median ${ms(median(alone))}`,
  },
  {
    row: 'the same beside 1,000 pulls a second: p95',
    figure: ms(percentile(beside, 95)),
    bar: ms(percentile(alone, 95) * 1.1),
    beside: `median ${ms(median(beside))}`,
  },
  {
    row: 'pulls served',
    figure: counted(total.served, 'pulls'),
    beside: `${counted(total.refused, 'refused')}, ${counted(total.bytes / 1e6, 'MB')}`,
  },
]);
process.exit();
