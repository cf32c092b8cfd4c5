/** Import of blocks full of transfers through one group-node over the embedded database on disk. */
import { randomBytes } from 'node:crypto';
import { openEmbeddedDatabase } from '@shardnode/core/database';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { openGroupNode, type GroupNode } from '../apps/group-node/src/group-node.js';
import { groupNodeMigrations, openGroupStore } from '../apps/group-node/src/store/index.js';
import { watchEventLoop } from './event-loop.js';
import { counted, isShort, printRows, type Row, seconds } from './rows.js';
import { temporaryFolder } from './temporary-folder.js';
import { transferChain, transfersPerBlock, withSpendableOutputs } from './transfer-chain.js';

const group = 0;
const megabyte = 2 ** 20;
/** Blocks of a measurement; the first ones warm up the code and are not counted. */
const warmUp = isShort ? 2 : 5;
const measured = Math.ceil(seconds * 8);

const settings = withSpendableOutputs(developmentNetwork);

const silentNode = async (network: NetworkSettings, dataDir: string) => {
  const host = await openEmbeddedDatabase({ dataDir });
  const database = host.service('group_0');
  await database.migrate(groupNodeMigrations);
  const store = await openGroupStore({ database, group, groups: network.groups });
  const node = await openGroupNode(
    {
      settings: network,
      group,
      limits: { trieNodeBytes: 64 * megabyte, blockBytes: 16 * megabyte },
      mining: { mode: 'off', interval: 0, heartbeat: 0, followUp: 0 },
      minerAddresses: [],
      lazyCommit: 50,
      blocksPerCommit: 32,
    },
    {
      store,
      clock: systemClock,
      logger: silentLogger,
      peers: { publish: () => undefined },
      groups: { request: () => Promise.reject(new Error('there are no siblings')) },
      randomBytes,
    },
  );
  node.sync.assumeSynced();
  return { node, close: () => node.stop().then(() => host.close()) };
};

const importAll = async ({ intake, settle }: GroupNode, blocks: readonly Uint8Array[]): Promise<void> => {
  for (const raw of blocks) {
    const outcome = await intake.accept(raw, 'block', { kind: 'submitted' });
    if (outcome.kind !== 'added') throw new Error(`a block is ${JSON.stringify(outcome)}`);
  }
  await settle();
};

const measure = async (kind: 'intra' | 'mixed'): Promise<Row> => {
  const blocks = transferChain(settings, kind, warmUp + measured);
  const folder = temporaryFolder();
  try {
    const { node, close } = await silentNode(settings, folder.path);
    await importAll(node, blocks.slice(0, warmUp));
    const loop = watchEventLoop();
    const began = performance.now();
    await importAll(node, blocks.slice(warmUp));
    const elapsed = performance.now() - began;
    const delay = loop.p99();
    await close();
    return {
      row: `blocks of ${transfersPerBlock} transfers, ${kind === 'intra' ? 'chain (0,0)' : 'chains (0,0) to (0,3) in turn'}`,
      figure: counted((1000 * measured * transfersPerBlock) / elapsed, 'tx/s'),
      bar: '2,000 tx/s',
      beside: `${measured} blocks; event loop delay p99 ${delay.toFixed(0)} ms (bar 50 ms)`,
    };
  } finally {
    folder.remove();
  }
};

printRows([await measure('intra'), await measure('mixed')]);
process.exit();
