/** Import of blocks full of transfers through one group-node, over the embedded database on disk and over PostgreSQL. */
import { developmentNetwork } from '@shardnode/protocol/network';
import { watchEventLoop } from './event-loop.js';
import { besides, counted, isShort, printRows, type Row, seconds } from './rows.js';
import { hasServers } from './servers.js';
import { embedded, importAll, onServer, silentNode } from './silent-node.js';
import { temporaryFolder } from './temporary-folder.js';
import { transferChain, transfersPerBlock, withSpendableOutputs } from './transfer-chain.js';

/** Blocks of a measurement; the first ones warm up the code and are not counted. */
const warmUp = isShort ? 2 : 5;
const measured = isShort ? 3 : Math.ceil(seconds * 8);

const settings = withSpendableOutputs(developmentNetwork);

type Kind = 'intra' | 'mixed';

const chains: Readonly<Record<Kind, string>> = { intra: 'chain (0,0)', mixed: 'chains (0,0) to (0,3) in turn' };

const measure = async (kind: Kind, blocks: readonly Uint8Array[], open: typeof embedded): Promise<Row[]> => {
  const folder = temporaryFolder();
  try {
    const { node, close } = await silentNode(settings, await open(folder.path));
    await importAll(node, blocks.slice(0, warmUp));
    const loop = watchEventLoop();
    const began = performance.now();
    await importAll(node, blocks.slice(warmUp));
    const elapsed = performance.now() - began;
    const delay = loop.p99();
    await close();
    const rate = (1000 * measured * transfersPerBlock) / elapsed;
    const row = `blocks of ${transfersPerBlock} transfers, ${chains[kind]}`;
    return [
      { row, figure: counted(rate, 'tx/s'), bar: '2,500 tx/s' },
      { row: `event loop delay p99, ${chains[kind]}`, figure: `${delay.toFixed(0)} ms`, bar: '50 ms' },
    ];
  } finally {
    folder.remove();
  }
};

const withServers = !isShort && hasServers(['postgres']);
const rows: Row[] = [];
for (const kind of ['intra', 'mixed'] as const) {
  const blocks = transferChain(settings, kind, warmUp + measured);
  const inProcess = await measure(kind, blocks, embedded);
  rows.push(...(withServers ? besides(inProcess, await measure(kind, blocks, onServer)) : inProcess));
}
printRows(rows);
process.exit();
