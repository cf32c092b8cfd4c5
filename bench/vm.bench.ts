/** Scripts and contracts: instructions, calls in blocks that are imported, runs over HTTP, and a state with many contracts. */
import { developmentNetwork } from '@shardnode/protocol/network';
import { contractRunRows } from './contract-runs.js';
import { watchEventLoop } from './event-loop.js';
import { manyContractsRow } from './many-contracts.js';
import { besides, counted, isShort, printRows, type Row, seconds } from './rows.js';
import { hasServers } from './servers.js';
import { embedded, importAll, onServer, silentNode } from './silent-node.js';
import { temporaryFolder } from './temporary-folder.js';
import { callsPerBlock, tokenChain } from './token-calls.js';
import { withSpendableOutputs } from './transfer-chain.js';
import { instructionRows } from './vm-instructions.js';

/** Blocks of calls that warm up the code. */
const warmUp = isShort ? 1 : 5;
const measured = Math.ceil(seconds * 3);

const settings = withSpendableOutputs(developmentNetwork);

const importRows = async (blocks: readonly Uint8Array[], open: typeof embedded): Promise<Row[]> => {
  const folder = temporaryFolder();
  try {
    const { node, close } = await silentNode(settings, await open(folder.path));
    // The first block deploys the contract.
    await importAll(node, blocks.slice(0, 1 + warmUp));
    const loop = watchEventLoop();
    const [began, processor] = [performance.now(), process.cpuUsage()];
    await importAll(node, blocks.slice(1 + warmUp));
    const elapsed = performance.now() - began;
    const { user, system } = process.cpuUsage(processor);
    const delay = loop.p99();
    await close();
    const calls = measured * callsPerBlock;
    return [
      {
        row: `blocks of ${callsPerBlock} contract calls`,
        figure: counted((1000 * calls) / elapsed, 'calls/s'),
        bar: '1,000 calls/s',
        beside: `${((user + system) / calls).toFixed(0)} µs of processor a call`,
      },
      { row: 'event loop delay p99, contract calls', figure: `${delay.toFixed(0)} ms`, bar: '50 ms' },
    ];
  } finally {
    folder.remove();
  }
};

const rows: Row[] = [...instructionRows(), manyContractsRow()];
const { blocks } = tokenChain(settings, warmUp + measured);
const inProcess = await importRows(blocks, embedded);
rows.push(
  ...(!isShort && hasServers(['postgres']) ? besides(inProcess, await importRows(blocks, onServer)) : inProcess),
);
rows.push(...(await contractRunRows()));
printRows(rows);
process.exit();
