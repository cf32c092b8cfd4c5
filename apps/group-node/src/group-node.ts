import { EventEmitter } from 'node:events';
import { type Semaphore } from '@shardnode/core/concurrency';
import { type Clock, type Timer, yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type Mempool } from '@shardnode/protocol/policy';
import { noFeedMeasures } from './feed/feed-measures.js';
import { Feed } from './feed/index.js';
import { runSemaphore } from './contracts/run-semaphore.js';
import { farReads } from './view/paged-source.js';
import { AnnouncedTips } from './dag/announced-tips.js';
import { type GroupNodeOptions, type NodePorts } from './group-node-options.js';
import { type GroupState } from './view/group-state.js';
import { Importer } from './import/index.js';
import { type ImportItem } from './import/import-item.js';
import { noMeasures } from './import/import-measures.js';
import { createSignatureChecker, type SignatureChecker } from './signatures/signatures.js';
import { FaultLog } from './writer/fault-log.js';
import { Stopping } from './writer/stopping.js';
import { WorkQueue } from './writer/work-queue.js';
import { Arrivals } from './intake/arrivals.js';
import { Intake } from './intake/index.js';
import { PendingWriter } from './mempool/pending-writer.js';
import { PoolControl } from './mempool/pool-control.js';
import { Submission } from './mempool/submission.js';
import { poolTimes, PoolUpkeep } from './mempool/upkeep.js';
import { Miner } from './mining/miner.js';
import { MinerAddresses } from './mining/miner-addresses.js';
import { createNonceFinder } from './mining/nonce-finder.js';
import { MiningSchedule } from './mining/schedule.js';
import { Pruner } from './pruning/index.js';
import { repeat } from './event-loop/repeat.js';
import { IndexCheck } from './start/index-check.js';
import { rebuild } from './start/rebuild.js';
import { type GroupStore } from './store/index.js';
import { ClockOffsets } from './sync/clock-offsets.js';
import { Puller } from './sync/puller.js';
import { SyncKeeper } from './sync/index.js';
import { ViewWaiters } from './view/view-waiters.js';

/** All parts of a running group-node, wired; the handlers of the bus call them. */
export interface GroupNode {
  readonly state: GroupState;
  readonly store: GroupStore;
  readonly clock: Clock;
  readonly importer: Importer;
  readonly intake: Intake;
  readonly arrivals: Arrivals;
  readonly miner: Miner;
  readonly submission: Submission;
  readonly pool: PoolControl;
  readonly minerAddresses: MinerAddresses;
  readonly indexCheck: IndexCheck;
  readonly feed: Feed;
  readonly upkeep: PoolUpkeep;
  /** Undefined: every state is retained. */
  readonly pruner: Pruner | undefined;
  readonly schedule: MiningSchedule;
  readonly sync: SyncKeeper;
  readonly waiters: ViewWaiters;
  readonly queue: WorkQueue;
  /** Semaphore of the script trials of transaction builders. */
  readonly trials: Semaphore;
  /** Semaphore of builds that read very many outputs. */
  readonly farReads: Semaphore;
  /** Resolves when everything pending is imported and stored. */
  settle(): Promise<void>;
  /** Background work: sync, mining, cleaning. */
  start(): void;
  /** Finishes the work in flight, refuses the rest. */
  stop(): Promise<void>;
}

/** Whether the node may mine and admit. */
const mayWork = (sync: SyncKeeper): boolean => sync.notReadyBecause() === undefined;

const queueCapacity = 20_000;

/** One at a time: a script that uses all of its gas takes some 50 milliseconds. */
const trialLimits = { permits: 1, maxWaiting: 100, maxWaitMs: 8_000 };

/** Events of the writer; listeners run at once, in the order in which parts are wired. */
interface WriterEvents {
  /** A commit made blocks visible. */
  published: [items: readonly ImportItem[]];
  /** Memory was rebuilt from the store after a failed commit. */
  memoryRebuilt: [];
}

/** Parts that the feed and the writer query and that are wired after them; absent during the start. */
interface LaterParts {
  sync?: SyncKeeper;
  waiters?: ViewWaiters;
}

interface Base {
  readonly options: GroupNodeOptions;
  readonly ports: NodePorts;
  readonly state: GroupState;
  readonly signatures: SignatureChecker;
  readonly events: EventEmitter<WriterEvents>;
  readonly later: LaterParts;
  /** Logs the errors of background work. */
  readonly report: (work: Promise<void>, what: string) => void;
  /** The same; the promise resolves when the work has ended. */
  readonly reported: (work: Promise<void>, what: string) => Promise<void>;
}

const openBase = async (options: GroupNodeOptions, ports: NodePorts) => {
  const { settings, group, limits, poolCapacity } = options;
  const { store, clock, logger } = ports;
  const crashPoint = ports.crashPoint ?? (() => undefined);
  const announced = new AnnouncedTips();
  const parts = { settings, group, store, limits, poolCapacity, now: () => clock.now(), crashPoint };
  const rebuildMemory = async (before?: Mempool) => {
    const began = clock.monotonic();
    const rebuilt = await rebuild(parts, announced, before);
    const height = rebuilt.memory.published.currentHeight({ from: group, to: group });
    const tookMs = Math.round(clock.monotonic() - began);
    logger.info({ height, pendingTransactions: rebuilt.pool.size, tookMs }, 'the state was loaded from the database');
    return rebuilt;
  };
  const state: GroupState = { settings, group, announced, ...(await rebuildMemory()) };
  const faults = new FaultLog(logger, clock);
  const reported: Base['reported'] = (work, what) => work.catch((error: unknown) => faults.log(error, what));
  const base: Base = {
    options,
    ports,
    state,
    signatures: createSignatureChecker(ports.signaturePool, (error) =>
      logger.error({ err: error }, 'a signature worker failed; verified in place'),
    ),
    events: new EventEmitter(),
    later: {},
    report: (work, what) => void reported(work, what),
    reported,
  };
  const feed = new Feed({
    state,
    store,
    clock,
    logger,
    peers: ports.peers,
    randomBytes: ports.randomBytes,
    epoch: await store.feedEpoch(),
    measures: ports.feedMeasures ?? noFeedMeasures,
    isFarBehind: () => base.later.sync?.isFarBehind ?? false,
    isSynced: () => base.later.sync !== undefined && mayWork(base.later.sync),
  });
  base.events.on('memoryRebuilt', () => feed.memoryRebuilt());
  return { base, feed, crashPoint, rebuildMemory };
};

/** The writer: its queue and the import (architecture, decision 3). */
const wireWriter = ({ base, feed, crashPoint, rebuildMemory }: Awaited<ReturnType<typeof openBase>>) => {
  const { options, ports, state, signatures, events, later, report } = base;
  const { store, clock, logger, peers } = ports;
  const queue: WorkQueue = new WorkQueue({
    group: state.group,
    capacity: queueCapacity,
    now: () => clock.monotonic(),
    yieldTick: yieldToEventLoop,
    measured: ports.measured,
    beforeEach: () => importer.recovery.before(),
    afterEach: (waiting): Promise<void> | undefined => {
      const isUrgent = waiting === 0 && importer.stagedCount > 0 && later.waiters?.any === true;
      if (!isUrgent && !importer.isFull(options.blocksPerCommit)) return undefined;
      // The importer has logged and repaired a failed commit, and rejected those who wait for it.
      return importer.flush().catch(() => undefined);
    },
  });
  const upkeep = new PoolUpkeep(state, store, clock);
  const importer: Importer = new Importer(
    {
      state,
      store,
      clock,
      signatures,
      peers,
      logger,
      feed: feed.chains,
      crashPoint,
      measures: ports.measures ?? noMeasures,
      rebuild: async () => {
        Object.assign(state, await rebuildMemory(state.pool));
        events.emit('memoryRebuilt');
      },
      onFatal: (error) => ports.onFatal?.(error),
      onPublished: (items) => void events.emit('published', items),
      onDropped: (dropped) => report(upkeep.conflicted(dropped), 'reasons of dropped transactions were not stored'),
    },
    options.lazyCommit,
    (name, work) => queue.run(name, work),
  );
  events.on('published', (items) => upkeep.published(items));
  return { queue, upkeep, importer };
};

type Writer = ReturnType<typeof wireWriter>;

/** Intake of blocks from outside, and sync of the missing ones. */
const wireIntake = ({ options, ports, state, events, later }: Base, { queue, importer }: Writer) => {
  const { clock, logger, peers, groups } = ports;
  const arrivals = new Arrivals({
    clock,
    has: (hash) => state.memory.dag.holds(hash),
    isSettled: (hash) =>
      state.memory.dag.mayBeSettled(hash) ? state.memory.find(hash).then((node) => node !== undefined) : undefined,
    enqueue: (work) => queue.run('inspect', work),
  });
  const importOne = async (item: ImportItem): ReturnType<Importer['import']> => {
    const outcome = await importer.import(item);
    if (outcome.kind === 'accepted') await arrivals.imported(item.header.hash);
    return outcome;
  };
  const intake = new Intake({
    state,
    clock,
    logger,
    import: (item) => queue.runFirst('import', () => importOne(item)),
    onRefused: (code) => ports.refused?.(code),
  });
  const settle = async (): Promise<void> => {
    await intake.imported();
    await queue.run('flush', () => importer.flush());
  };
  const accept = (raw: Uint8Array, form: 'block' | 'header', from: number) =>
    intake.accept(raw, form, { kind: 'pulled', from });
  const clocks = new ClockOffsets(clock);
  const clockReceived = (sibling: number, sentAt: number): void => clocks.record(sibling, sentAt);
  const puller = new Puller({ state, groups, accept, clockReceived, logger });
  const storeProblem = (): string | undefined => importer.recovery.reason;
  const { splitPeriod } = options;
  const sync = new SyncKeeper({
    state,
    puller,
    intake,
    peers,
    clock,
    clocks,
    logger,
    settle,
    storeProblem,
    splitPeriod,
  });
  later.sync = sync;
  events.on('memoryRebuilt', () => sync.memoryRebuilt());
  return { intake, arrivals, settle, sync };
};

type Inlet = ReturnType<typeof wireIntake>;

/** Admission of transactions, and mining. */
const wireMining = (base: Base, { queue, importer, upkeep }: Writer, { intake, sync }: Inlet) => {
  const { options, ports, state, signatures, events, reported } = base;
  const { store, clock, logger, peers } = ports;
  const { mining, settings } = options;
  const minerAddresses = new MinerAddresses(options.minerAddresses);
  const nonces = createNonceFinder({
    settings,
    randomBytes: ports.randomBytes,
    threads: options.threads,
    yieldTick: ports.nonceYield,
  });
  const miner = new Miner({
    state,
    importer,
    queue,
    signatures,
    clock,
    logger,
    nonces,
    minerAddresses,
    requireClock: () => sync.requireClock(),
    onInvalid: (invalid) => reported(upkeep.invalid(invalid), 'invalid transactions were not dropped'),
    onMined: (hash) => intake.released(hash),
  });
  const schedule = new MiningSchedule({ state, miner, clock, logger, mayMine: () => mayWork(sync) }, mining);
  events.on('published', (items) => schedule.published(items));
  const pending = new PendingWriter(store);
  const submission = new Submission({
    state,
    store,
    importer,
    queue,
    miner,
    pending,
    signatures,
    peers,
    clock,
    logger,
    minesInstantly: mining.mode === 'instant',
    requireReady: () => sync.requireReady(),
    onMinedAcross: (chain) => schedule.followUp({ from: chain.from, to: chain.from }),
  });
  const pool = new PoolControl({ state, store, queue, pending, submission, upkeep, peers, clock });
  return { miner, minerAddresses, nonces, schedule, pending, submission, pool };
};

/** Callers that wait for the view to show a block. */
const wireWaiters = (
  { options, ports, state, events, later, report }: Base,
  { queue, importer }: Writer,
  { sync }: Inlet,
): ViewWaiters => {
  let isWaiting = false;
  const refresh = (): Promise<void> =>
    // Before submits: readers wait for it, and it is one task for all of them.
    queue.runFirst('view', async () => {
      isWaiting = false;
      if (importer.stagedCount > 0) await importer.flush();
      else await importer.refreshView();
      waiters.look();
    });
  const refreshSoon = (): void => {
    // A commit for every few blocks would delay the hundreds of missing ones, including the awaited block.
    if (isWaiting || sync.isFarBehind) return;
    isWaiting = true;
    const work = refresh().catch((error: unknown) => {
      isWaiting = false;
      throw error;
    });
    report(work, 'the view was not refreshed');
  };
  const waiters: ViewWaiters = new ViewWaiters(state, ports.clock, refreshSoon, options.lazyCommit);
  later.waiters = waiters;
  events.on('published', () => waiters.look());
  return waiters;
};

const wirePruning = (
  { base: { options, ports, state, events }, crashPoint }: Awaited<ReturnType<typeof openBase>>,
  { queue, importer }: Writer,
): Pruner | undefined => {
  const { store, clock, logger, pruned: onPruned } = ports;
  const { pruningHorizon: horizon } = options;
  if (horizon === undefined || !store.pruning) return undefined;
  const parts = { state, store, queue, importer, clock, logger, crashPoint, onPruned };
  const pruner = new Pruner(parts, store.pruning, horizon);
  events.on('published', () => pruner.wake());
  return pruner;
};

/** Cleans the pool every minute until it is stopped. */
const startCleaning = ({ ports, reported }: Base, upkeep: PoolUpkeep): Timer =>
  repeat(ports.clock, poolTimes.cleaning, () => reported(upkeep.clean(), 'the pool was not cleaned'));

/** Opens a group-node over its store and rebuilds memory from it. Parts are wired in order of dependence. */
export const openGroupNode = async (options: GroupNodeOptions, ports: NodePorts): Promise<GroupNode> => {
  const opened = await openBase(options, ports);
  const { base, feed } = opened;
  const writer = wireWriter(opened);
  const inlet = wireIntake(base, writer);
  const { nonces, pending, ...mining } = wireMining(base, writer, inlet);
  const { schedule } = mining;
  const { state } = base;
  const { importer, queue } = writer;
  const { store, logger } = ports;
  const waiters = wireWaiters(base, writer, inlet);
  const pruner = wirePruning(opened, writer);
  let cleaning: Timer | undefined;
  return {
    state,
    store,
    clock: ports.clock,
    ...writer,
    ...inlet,
    ...mining,
    indexCheck: new IndexCheck({ state, store, queue, importer, logger, ...options.limits }),
    feed,
    waiters,
    pruner,
    trials: runSemaphore(trialLimits, ports.clock),
    farReads: farReads(ports.clock),
    start: () => {
      inlet.sync.start();
      feed.start();
      schedule.start();
      pruner?.wake();
      cleaning = startCleaning(base, writer.upkeep);
    },
    stop: async () => {
      cleaning?.cancel();
      schedule.stop();
      await inlet.sync.stop();
      await nonces.close();
      const pruned = pruner?.stop();
      mining.submission.abort(new Stopping(options.group));
      await writer.queue.abort(new Stopping(options.group));
      await pruned;
      // Transactions that could no longer be mined are stored as pending.
      await pending.idle();
      await writer.importer.flush();
      await feed.stop();
    },
  };
};
