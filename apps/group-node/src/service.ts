import { randomBytes } from 'node:crypto';
import { type Provider } from '@nestjs/common';
import { type Bus, busMetrics, type BusNetwork, busReadiness, wantedPayload } from '@shardnode/core/bus';
import {
  type Database,
  databaseMetrics,
  type DatabaseWriter,
  diskMetrics,
  logRestore,
  processHolder,
} from '@shardnode/core/database';
import { type Clock, closeAll, type Service } from '@shardnode/core/lifecycle';
import { createMetrics, type Logger } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';
import { groupClient, groupRouting, peerPublisher } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { type BuilderReads } from './building/builder-reads.js';
import { type NodeChoices } from './configuration.js';
import { openRuns, Runs } from './contracts/runs.js';
import { type GroupNode, openGroupNode } from './group-node.js';
import { type CrashPoint } from './import/importer-parts.js';
import { Importer } from './import/index.js';
import { Arrivals } from './intake/arrivals.js';
import { Intake } from './intake/index.js';
import { PoolControl } from './mempool/pool-control.js';
import { Submission } from './mempool/submission.js';
import { PoolUpkeep } from './mempool/upkeep.js';
import { openSignaturePool } from './signatures/signature-pool.js';
import { type SignaturePool } from './signatures/signatures.js';
import { createGroupNodeMetrics, type GroupNodeMetrics } from './metrics.js';
import { Miner } from './mining/miner.js';
import { MinerAddresses } from './mining/miner-addresses.js';
import { MiningSchedule } from './mining/schedule.js';
import { AddressRpc } from './rpc/address.js';
import { Feed } from './feed/index.js';
import { BuildingRpc } from './rpc/building.js';
import { ChainRpc } from './rpc/chain.js';
import { CommandRpc } from './rpc/commands.js';
import { ContractRpc } from './rpc/contract.js';
import { EventsRpc } from './rpc/events.js';
import { FeedRpc } from './rpc/feed.js';
import { InspectionRpc } from './rpc/inspection.js';
import { MempoolRpc } from './rpc/mempool.js';
import { MiningRpc } from './rpc/mining.js';
import { PeerEventsRpc } from './rpc/peer-events.js';
import { SyncRpc } from './rpc/sync.js';
import { BUILDER_READS, FEED_SETTINGS, type FeedSettings, HEALTH, READS, SETTLE } from './rpc/tokens.js';
import { TransactionRpc } from './rpc/transaction.js';
import { IndexCheck } from './start/index-check.js';
import { groupNodeMigrations, type GroupStore, openGroupStore } from './store/index.js';
import { SyncKeeper } from './sync/index.js';
import { type NodeReads } from './view/reads.js';
import { ViewWaiters } from './view/view-waiters.js';
import { WorkQueue } from './writer/work-queue.js';

export interface GroupNodeConfig extends NodeChoices {
  /** Name of one network and cluster on the bus; without dots. */
  readonly ns: string;
  readonly group: number;
  /** Chain rules of the network. All nodes of a cluster have the same. */
  readonly settings: NetworkSettings;
  /** Symbol of the coin, for followers of the feed. Default: COIN. */
  readonly coinSymbol?: string | undefined;
  /** Health and metrics over HTTP; port 0 takes a free one. */
  readonly host: string;
  readonly port: number;
  /** Takes a free port when that one is in use. */
  readonly orAnyPort?: boolean;
  /** False: no port is opened. Default true. */
  readonly listens?: boolean;
  /** See `HttpSettings`. */
  readonly hostNames?: readonly string[];
  /**
   * Milliseconds in which the follow-up blocks of `instant` gather the blocks that they include: for the sender's
   * group.
   */
  readonly followUp?: number;
  /** The same for the receiver's group; default: that of the schedule. */
  readonly incomingFollowUp?: number;
  /** One for each group: receivers of the rewards of blocks on the chains that lead there. */
  readonly minerAddresses: readonly AssetLockupScript[];
  /** Megabytes for trie nodes, and for blocks, in memory. */
  readonly trieCacheMegabytes?: number;
  readonly blockCacheMegabytes?: number;
  /** See `MemoryLimits`. */
  readonly settledHeights?: number;
  /** Milliseconds that foreign blocks and headers may wait to share a commit. */
  readonly lazyCommit?: number;
  /** Verify the signatures of large blocks on other threads. */
  readonly signatureWorkers?: number;
  /** False: runs of contracts and nonce searches run in place, whatever their duration. Default true. */
  readonly threads?: boolean;
  /** Milliseconds for which a block of a sibling may be refused or missing; default: half a minute. */
  readonly splitPeriod?: number;
  /** Memory and event loop metrics of the process; for one service of a process. */
  readonly processMetrics?: boolean;
  /** A folder on the disk of its database, if that is on this machine: metrics report the free space of the disk. */
  readonly diskFolder?: string | undefined;
}

interface OtherPorts {
  readonly network: BusNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: the system's. */
  readonly randomBytes?: (length: number) => Uint8Array;
  /** Called after 2,000 tries of a nonce search in place; default: yields to the event loop. */
  readonly nonceYield?: () => Promise<void>;
  /** Called at named places of a start, a commit and a pruning step; tests end the process there. */
  readonly crashPoint?: CrashPoint | undefined;
  /** Another process has become the group's writer (architecture, decision 3): this one must end. */
  readonly onFatal?: (error: Error) => void;
}

/** A node stores its data in a schema of a database, whose writer's lock it takes, or in a store of its own. */
export type GroupNodePorts = OtherPorts &
  (
    | { readonly database: Database; readonly store?: undefined }
    | { readonly store: GroupStore; readonly database?: undefined }
  );

const megabyte = 2 ** 20;

const controllers = [
  ChainRpc,
  TransactionRpc,
  AddressRpc,
  BuildingRpc,
  ContractRpc,
  EventsRpc,
  FeedRpc,
  SyncRpc,
  InspectionRpc,
  CommandRpc,
  MempoolRpc,
  MiningRpc,
  PeerEventsRpc,
];

/** Providers that inject parts of the node into the controllers. */
const providersOf = (node: GroupNode): Provider[] => {
  const { state, store, clock, importer, sync, trials, farReads } = node;
  const reads: NodeReads = { state, store, clock, importer };
  const builderReads: BuilderReads = { ...reads, sync, trials, farReads };
  return [
    { provide: READS, useValue: reads },
    { provide: BUILDER_READS, useValue: builderReads },
    { provide: SETTLE, useValue: node.settle },
    { provide: Arrivals, useValue: node.arrivals },
    { provide: Importer, useValue: importer },
    { provide: Feed, useValue: node.feed },
    { provide: IndexCheck, useValue: node.indexCheck },
    { provide: Intake, useValue: node.intake },
    { provide: Miner, useValue: node.miner },
    { provide: MinerAddresses, useValue: node.minerAddresses },
    { provide: MiningSchedule, useValue: node.schedule },
    { provide: PoolControl, useValue: node.pool },
    { provide: PoolUpkeep, useValue: node.upkeep },
    { provide: Submission, useValue: node.submission },
    { provide: SyncKeeper, useValue: sync },
    { provide: ViewWaiters, useValue: node.waiters },
    { provide: WorkQueue, useValue: node.queue },
  ];
};

const checkMinerAddresses = ({ minerAddresses, settings }: GroupNodeConfig): void => {
  if (minerAddresses.length !== settings.groups) {
    throw new Error(`Wrong number of addresses, expected ${settings.groups}, got ${minerAddresses.length}`);
  }
};

/** Parts that a start has opened so far: a stop closes exactly these, also after a failed start. */
interface Opened {
  writer?: DatabaseWriter;
  node?: GroupNode;
  pool?: SignaturePool;
  runs?: Runs;
  running?: RunningService;
}

/** Takes the group's writer's lock, before anything is read or migrated. DatabaseError `WriterExists` names the holder. */
const openWriter = async (
  opened: Opened,
  config: GroupNodeConfig,
  database: Database,
  logger: Logger,
): Promise<void> => {
  opened.writer = await database.openWriter({
    holder: processHolder(nameOf(config)),
    onLost: (error) => opened.node?.importer.recovery.lost(error),
  });
  await database.migrate(groupNodeMigrations);
  await logRestore(database, logger);
};

const openStore = async (opened: Opened, config: GroupNodeConfig, ports: GroupNodePorts): Promise<GroupStore> => {
  if (ports.store) return ports.store;
  const { group, settings } = config;
  return openGroupStore({ database: ports.database, writer: opened.writer, group, groups: settings.groups });
};

const openNode = async (
  opened: Opened,
  config: GroupNodeConfig,
  ports: GroupNodePorts,
  bus: Bus,
  measures: GroupNodeMetrics,
): Promise<GroupNode> => {
  const { group, settings, ns } = config;
  const store = await openStore(opened, config, ports);
  opened.pool = openSignaturePool(config.signatureWorkers ?? 0);
  opened.node = await openGroupNode(optionsOf(config), {
    store,
    clock: ports.clock,
    logger: ports.logger.child({ service: nameOf(config) }),
    peers: peerPublisher(bus, ns, group),
    groups: groupClient(bus, { ns, groups: settings.groups }),
    randomBytes: ports.randomBytes ?? randomBytes,
    nonceYield: ports.nonceYield,
    signaturePool: opened.pool,
    crashPoint: ports.crashPoint,
    measured: measures.measured,
    refused: measures.refused,
    measures: measures.import,
    feedMeasures: measures.feed,
    pruned: measures.pruned,
    onFatal: ports.onFatal,
  });
  // The lock was lost before the handler of its loss existed.
  if (opened.writer?.isHeld === false)
    opened.node.importer.recovery.lost(new Error('connection terminated during the start'));
  return opened.node;
};

const start = async (opened: Opened, config: GroupNodeConfig, ports: GroupNodePorts): Promise<void> => {
  const { group, settings, ns } = config;
  const name = nameOf(config);
  const logger = ports.logger.child({ service: name });
  const metrics = createMetrics({ service: name, processMetrics: config.processMetrics ?? false });
  const measures = createGroupNodeMetrics(metrics);
  if (ports.database) databaseMetrics(metrics.registry, ports.database);
  if (config.diskFolder !== undefined) diskMetrics(metrics.registry, config.diskFolder);
  if (ports.database) await openWriter(opened, config, ports.database, logger);
  const connection = await ports.network.join({
    sender: { service: 'group-node', member: group },
    routing: groupRouting({ ns, group, groups: settings.groups }),
    logger,
    observer: busMetrics(metrics.registry),
  });
  const node = await openNode(opened, config, ports, connection.bus, measures);
  measures.observe(node);
  opened.runs = openRuns(node, ports.clock, { threads: config.threads ?? true });
  opened.running = createService({
    name,
    logger,
    metrics,
    server: connection.server,
    http: {
      host: config.host,
      port: config.port,
      orAnyPort: config.orAnyPort ?? false,
      listens: config.listens ?? true,
      hostNames: config.hostNames ?? [],
    },
    module: {
      controllers,
      providers: [
        ...providersOf(node),
        { provide: Runs, useValue: opened.runs },
        {
          provide: FEED_SETTINGS,
          useValue: {
            coinSymbol: config.coinSymbol ?? 'COIN',
            longestMessage: () => connection.longestMessage ?? wantedPayload,
          } satisfies FeedSettings,
        },
        { provide: HEALTH, useValue: () => opened.running!.health() },
      ],
    },
    identity: () => ({ namespace: ns, bus: connection.busId }),
    readiness: [busReadiness(connection), { name: 'synced', notReadyBecause: () => node.sync.problem() }],
    clock: ports.clock,
    afterClosing: () => connection.close(),
  });
  await opened.running.start();
  node.start();
};

const nameOf = ({ group }: GroupNodeConfig): string => `group-node-${group}`;

export type GroupNodeService = Service & Pick<RunningService, 'port' | 'health'>;

/** The group-node of one group as a service: bus handlers, health, metrics. */
export const create = (config: GroupNodeConfig, ports: GroupNodePorts): GroupNodeService => {
  checkMinerAddresses(config);
  const opened: Opened = {};
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const { node, running, pool, runs, writer } = opened;
    // Each is closed even when another fails: the last task of a node without a database fails.
    await closeAll([
      () => node?.stop(),
      () => running?.stop(),
      () => pool?.close(),
      () => runs?.close(),
      () => writer?.close(),
    ]);
  };
  return {
    name: nameOf(config),
    start: () => start(opened, config, ports),
    stop: () => (stopped ??= stop()),
    health: async () => {
      if (!opened.running) throw new Error(`${nameOf(config)} was not started`);
      return opened.running.health();
    },
    get port() {
      return opened.running?.port ?? config.port;
    },
  };
};

const optionsOf = (config: GroupNodeConfig) => ({
  settings: config.settings,
  group: config.group,
  limits: {
    trieNodeBytes: (config.trieCacheMegabytes ?? 64) * megabyte,
    blockBytes: (config.blockCacheMegabytes ?? 16) * megabyte,
    recentHeights: config.recentHeights,
    settledHeights: config.settledHeights,
  },
  mining: {
    mode: config.mining,
    interval: config.miningInterval * 1000,
    heartbeat: config.heartbeat * 1000,
    followUp: config.followUp ?? 30,
    incomingFollowUp: config.incomingFollowUp,
    alwaysGathersIncoming: config.alwaysGathersIncoming,
  },
  minerAddresses: config.minerAddresses,
  poolCapacity: config.poolCapacity,
  lazyCommit: config.lazyCommit ?? 50,
  blocksPerCommit: 32,
  pruningHorizon: config.pruningHorizon,
  threads: config.threads ?? true,
  splitPeriod: config.splitPeriod,
});
