/** Import of blocks full of transfers through one group-node, over the embedded database on disk and over PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type DatabaseHost, openDatabaseServer, openEmbeddedDatabase } from '@shardnode/core/database';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, startPostgres } from '@shardnode/core/servers';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { openGroupNode, type GroupNode } from '../apps/group-node/src/group-node.js';
import { groupNodeMigrations, openGroupStore } from '../apps/group-node/src/store/index.js';
import { watchEventLoop } from './event-loop.js';
import { besides, counted, isShort, printRows, type Row, seconds } from './rows.js';
import { hasServers } from './servers.js';
import { temporaryFolder } from './temporary-folder.js';
import { transferChain, transfersPerBlock, withSpendableOutputs } from './transfer-chain.js';

const group = 0;
const megabyte = 2 ** 20;
/** Blocks of a measurement; the first ones warm up the code and are not counted. */
const warmUp = isShort ? 2 : 5;
const measured = Math.ceil(seconds * 8);

const settings = withSpendableOutputs(developmentNetwork);

interface OpenedDatabase {
  readonly host: DatabaseHost;
  close(): Promise<void>;
}

const embedded = async (folder: string): Promise<OpenedDatabase> => {
  const host = await openEmbeddedDatabase({ dataDir: folder });
  return { host, close: () => host.close() };
};

/** A server that does what it is told to have done: with fsync. */
const onServer = async (folder: string): Promise<OpenedDatabase> => {
  const server = await startPostgres({ folder: join(folder, 'postgres') });
  const url = await createServiceDatabase(server.url, 'shardnode_group_0', randomBytes(16).toString('hex'));
  const host = openDatabaseServer({ url, applicationName: 'group-node-0', logger: silentLogger });
  return { host, close: () => host.close().then(() => server.remove()) };
};

const silentNode = async (network: NetworkSettings, { host, close }: OpenedDatabase) => {
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
  return { node, close: () => node.stop().then(close) };
};

const importAll = async ({ intake, settle }: GroupNode, blocks: readonly Uint8Array[]): Promise<void> => {
  for (const raw of blocks) {
    const outcome = await intake.accept(raw, 'block', { kind: 'submitted' });
    if (outcome.kind !== 'added') throw new Error(`a block is ${JSON.stringify(outcome)}`);
  }
  await settle();
};

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

const withServers = hasServers(['postgres']);
const rows: Row[] = [];
for (const kind of ['intra', 'mixed'] as const) {
  const blocks = transferChain(settings, kind, warmUp + measured);
  const inProcess = await measure(kind, blocks, embedded);
  rows.push(...(withServers ? besides(inProcess, await measure(kind, blocks, onServer)) : inProcess));
}
printRows(rows);
process.exit();
