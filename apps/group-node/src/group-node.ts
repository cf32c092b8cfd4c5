import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type GroupClient, type PeerPublisher } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { AnnouncedTips } from './dag/announced-tips.js';
import { type GroupState } from './group-state.js';
import { type CrashPoint, Importer } from './import/index.js';
import { createSignatureChecker, type SignaturePool } from './import/signatures.js';
import { WorkQueue } from './import/work-queue.js';
import { Intake } from './intake/index.js';
import { PendingWriter } from './mempool/pending-writer.js';
import { Submission } from './mempool/submission.js';
import { poolTimes, PoolUpkeep } from './mempool/upkeep.js';
import { type MemoryLimits } from './memory/group-memory.js';
import { Miner } from './mining/miner.js';
import { MiningSchedule, type ScheduleSettings } from './mining/schedule.js';
import { rebuild } from './start/rebuild.js';
import { type GroupStore } from './store/index.js';
import { Puller } from './sync/puller.js';
import { SyncKeeper } from './sync/index.js';
import { ViewWaiters } from './view/view-waiters.js';

export interface GroupNodeOptions {
  readonly settings: NetworkSettings;
  readonly group: number;
  readonly limits: MemoryLimits;
  readonly mining: ScheduleSettings;
  /** Who is paid, by the group that a chain leads to. */
  readonly minerAddresses: readonly AssetLockupScript[];
  /** Milliseconds that foreign headers and bodies may wait for company before they are stored. */
  readonly lazyCommit: number;
  /** Blocks and headers that share a transaction at most. */
  readonly blocksPerCommit: number;
}

export interface GroupNodePorts {
  readonly store: GroupStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly peers: PeerPublisher;
  readonly groups: Pick<GroupClient, 'request'>;
  readonly signaturePool?: SignaturePool;
  readonly crashPoint?: CrashPoint;
  readonly measured?: (name: string, waited: number, worked: number) => void;
  readonly refused?: (code: string) => void;
}

/** All parts of a running group-node, wired; what the handlers of the bus call. */
export interface GroupNode {
  readonly state: GroupState;
  readonly store: GroupStore;
  readonly clock: Clock;
  readonly importer: Importer;
  readonly intake: Intake;
  readonly miner: Miner;
  readonly submission: Submission;
  readonly upkeep: PoolUpkeep;
  readonly schedule: MiningSchedule;
  readonly sync: SyncKeeper;
  readonly waiters: ViewWaiters;
  readonly queue: WorkQueue;
  /** Everything that waits is imported and stored. */
  settle(): Promise<void>;
  /** Background work: sync, mining, cleaning. */
  start(): void;
  /** Finishes the work in flight, refuses the rest. */
  stop(): Promise<void>;
}

const queueCapacity = 20_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Opens a group-node over its store: memory is made from what is stored. Wiring in order of dependence. */
export const openGroupNode = async (options: GroupNodeOptions, ports: GroupNodePorts): Promise<GroupNode> => {
  const { settings, group, limits, mining } = options;
  const { store, clock, logger, peers, groups } = ports;
  const crashPoint = ports.crashPoint ?? (() => undefined);
  const announced = new AnnouncedTips();
  const remake = () => rebuild({ settings, group, store, limits, now: () => clock.now(), crashPoint }, announced);
  const state: GroupState = { settings, group, announced, ...(await remake()) };
  const signatures = createSignatureChecker(ports.signaturePool);

  const queue: WorkQueue = new WorkQueue({
    capacity: queueCapacity,
    now: () => clock.monotonic(),
    yieldTurn: nextTurn,
    measured: ports.measured,
    afterEach: (waiting): Promise<void> | undefined => {
      const isUrgent = waiting === 0 && waiters.any && importer.stagedCount > 0;
      if (!isUrgent && importer.stagedCount < options.blocksPerCommit) return undefined;
      // A commit that failed was logged and repaired by the importer, and told to those who wait for it.
      return importer.flush().catch(() => undefined);
    },
  });
  const upkeep = new PoolUpkeep(state, store, clock, logger);
  const report = (work: Promise<void>, what: string): void =>
    void work.catch((error: unknown) => logger.error({ err: error }, what));
  const importer: Importer = new Importer(
    {
      state,
      store,
      clock,
      signatures,
      peers,
      logger,
      crashPoint,
      rebuild: async () => {
        Object.assign(state, await remake());
        sync.lostMemory();
      },
      onPublished: (items) => {
        schedule.published(items);
        waiters.look();
      },
      onDropped: (dropped) => report(upkeep.conflicted(dropped), 'reasons of dropped transactions were not stored'),
    },
    options.lazyCommit,
    (name, work) => queue.run(name, work),
  );
  const intake = new Intake({
    state,
    clock,
    logger,
    import: (item) => queue.run('import', () => importer.import(item)),
    onRefused: (code) => ports.refused?.(code),
  });
  const miner = new Miner({
    state,
    importer,
    queue,
    signatures,
    clock,
    logger,
    minerAddresses: options.minerAddresses,
    onInvalid: (invalid) => report(upkeep.invalid(invalid), 'reasons of invalid transactions were not stored'),
    onMined: (hash) => intake.released(hash),
  });
  const refreshView = (): Promise<void> =>
    queue.run('view', async () => {
      if (importer.stagedCount > 0) await importer.flush();
      else await importer.refreshView();
      waiters.look();
    });
  const waiters: ViewWaiters = new ViewWaiters(
    state,
    clock,
    () => report(refreshView(), 'the view was not refreshed'),
    options.lazyCommit,
  );
  const settle = async (): Promise<void> => {
    do {
      await queue.idle();
      await nextTurn();
    } while (intake.isImporting);
    await queue.run('flush', () => importer.flush());
  };
  const puller = new Puller({
    state,
    groups,
    accept: (raw, form, from) => intake.accept(raw, form, { kind: 'pulled', from }),
    logger,
  });
  const sync: SyncKeeper = new SyncKeeper({ state, puller, intake, peers, clock, logger, settle });
  const schedule: MiningSchedule = new MiningSchedule(
    { state, miner, clock, logger, mayMine: () => sync.notReadyBecause() === undefined },
    mining,
  );
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
    minesInstantly: mining.mode === 'instant',
    requireReady: () => sync.requireReady(),
    onMinedAcross: (chain) => schedule.followUp({ from: chain.from, to: chain.from }),
  });

  let stopped = false;
  let cleaning: Timer | undefined;
  const cleanLater = (): void => {
    if (stopped) return;
    cleaning = clock.after(poolTimes.cleaning, () => {
      if (stopped) return;
      report(upkeep.clean().finally(cleanLater), 'the pool was not cleaned');
    });
  };
  return {
    state,
    store,
    clock,
    importer,
    intake,
    miner,
    submission,
    upkeep,
    schedule,
    sync,
    waiters,
    queue,
    settle,
    start: () => {
      sync.start();
      schedule.start();
      cleanLater();
    },
    stop: async () => {
      stopped = true;
      cleaning?.cancel();
      schedule.stop();
      await sync.stop();
      await pending.idle();
      await queue.abort(new Error('the group-node is stopping'));
      await importer.flush();
    },
  };
};
