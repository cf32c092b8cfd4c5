import { type Mutex, mutex } from '@shardnode/core/concurrency';
import { type SchemaStatements, unavailableReason } from '@shardnode/core/database';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type ChainHead, type FeedPlace, type PoolChange } from '@shardnode/messages';
import { allChainIndexes, flatIndex, sameChain } from '@shardnode/protocol/primitives';
import { type FeedBlock } from '../blocks/feed-block.js';
import { appliedHashes, storedHashes } from '../index-store/known-blocks.js';
import { type Index, openIndex } from '../index-store/open-index.js';
import { setMeta } from '../index-store/schema-state.js';
import { type BackgroundJob, type JobStart } from '../background/background-job.js';
import { type LiveChanges } from '../live/live-changes.js';
import { readStats } from '../reads/live-reads.js';
import { inSnapshot } from '../database/snapshot.js';
import { BackgroundWork } from './background-work.js';
import { ChainPuller } from './chain-puller.js';
import { Dependencies } from './dependencies.js';
import { type FeedSource } from '../group-nodes/feed-source.js';
import { FollowedChain } from './followed-chain.js';
import { type FollowingMetrics } from './following-metrics.js';
import { JobRunner } from './job-runner.js';
import { PendingPools } from './pending-pools.js';
import { phaseAfter, reportChains } from './phase.js';
import { judgeDepth } from './reorganisation-depth.js';
import { Rest } from './rest.js';
import { type BatchLimits, nextWork, type Work } from './schedule.js';
import { type Phase, type SyncState } from './sync-state.js';

export interface IndexerOptions {
  /** The migrated schema; statements must fail once another process may write to it. */
  readonly database: SchemaStatements;
  /** The same schema over other connections, for jobs. */
  readonly reading: SchemaStatements;
  readonly jobs: readonly BackgroundJob[];
  readonly groups: number;
  readonly source: FeedSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: FollowingMetrics;
  readonly state: SyncState;
  /** Publishes committed changes. */
  readonly live: LiveChanges;
}

/** Milliseconds (protocol 08 §4.13, §6). */
const every = { reconcile: 10_000, pools: 15_000, stats: 10_000, look: 1_000 };
/** Bounds of a database transaction (protocol 08 §4.5): when it is live, mostly one block is ready. */
const batch: BatchLimits = { blocks: 500, transactions: 4_000 };
/** The same for blocks that a batch was refused with: which one is it? */
const single: BatchLimits = { blocks: 1, transactions: 4_000 };
/** Milliseconds for a statement. */
const statsTimeoutMs = 5_000;
/** Times in a row that the database may refuse blocks of a chain. */
const mostFaults = 2;

/**
 * Follows all chains and writes the index, from the heads in the database on (protocol 08 §4). An error of the database
 * ends it: another indexer starts again from what is stored.
 */
export class Indexer {
  private readonly index: Index;
  private readonly pullers: ChainPuller[] = [];
  private readonly dependencies: Dependencies;
  private readonly pools: PendingPools;
  private readonly rest: Rest;
  private readonly oneAtATime: Mutex = mutex();
  /** The index has one writer, which rests after each turn when it is live. */
  private readonly exclusive: Mutex = (work) =>
    this.oneAtATime(async () => {
      await this.rest.over();
      return this.rest.after(work);
    });
  private readonly epochs = new Map<number, string>();
  private readonly faults = new Map<ChainPuller, number>();
  private readonly work: BackgroundWork;
  private readonly jobs: JobRunner;
  /** Batches of one block until this many are applied, because a batch failed. */
  private singles = 0;
  private failure: { readonly error: unknown } | undefined;
  private isStopped = false;
  private readonly stopping = new AbortController();
  private wake: () => void = () => undefined;
  private isChanged = false;

  constructor(private readonly options: IndexerOptions) {
    const { database, reading, jobs, groups, source, clock, logger, metrics, live } = options;
    this.work = new BackgroundWork(clock, (error) => this.fail(error));
    this.rest = new Rest(clock, () => this.isLive);
    this.index = openIndex({
      database,
      groups,
      fetchBlock: (hash) => source.block(hash).catch(() => undefined),
      isFirstSync: () => !this.isLive,
    });
    this.dependencies = new Dependencies({
      groups,
      clock,
      logger,
      stored: (hashes) => storedHashes(database, hashes),
      fetch: (hash) => source.block(hash),
      storeSide: (block) => this.exclusive(() => this.index.storeSide(block)),
      changed: () => this.changed(),
      expired: () => metrics.waitExpired(),
    });
    this.pools = new PendingPools({
      source,
      pending: this.index.pending,
      exclusive: this.exclusive,
      changed: (change) => live.pools(change),
      clock,
      logger,
      failed: (error) => this.fail(error),
    });
    const context = {
      groups,
      reading,
      writing: <T>(work: (statements: SchemaStatements) => Promise<T>) => this.exclusive(() => work(database)),
      unshown: () => this.dependencies.unshown(),
      source,
      clock,
      logger,
      stopping: this.stopping.signal,
    };
    this.jobs = new JobRunner({ jobs, context, work: this.work, logger, isLive: () => this.isLive });
  }

  /** Follows until `stop`. Rejects with an error of the database, or NetworkMismatch. */
  async run(): Promise<void> {
    await this.load();
    this.work.repeat(every.reconcile, () => this.reconcile());
    this.work.repeat(every.pools, () => this.listPools());
    this.work.repeat(every.stats, () => this.publishStats());
    this.work.repeat(every.look, async () => {
      // Also while the database does not answer.
      this.measure();
      this.changed();
    });
    this.jobs.schedule();
    for (const puller of this.pullers) puller.request();
    try {
      while (!this.isStopped) await this.step();
      if (this.failure) throw this.failure.error;
    } finally {
      await this.close();
    }
  }

  /** Ends after the database transaction under way. */
  stop(): void {
    this.isStopped = true;
    this.work.stop();
    this.stopping.abort();
    this.changed();
  }

  /** Starts a job now, whether or not it is due. */
  startJob(name: string): JobStart {
    return this.jobs.start(name);
  }

  /** Heads of chains (from, *), as announced; `epoch` identifies the database of group-node `from`. */
  heard(from: number, epoch: string, heads: readonly Pick<ChainHead, 'chainTo' | 'height' | 'hash'>[]): void {
    const known = this.epochs.get(from);
    this.epochs.set(from, epoch);
    const isReplaced = known !== undefined && known !== epoch;
    if (isReplaced) {
      this.options.logger.warn({ group: from, epoch }, 'the database of a group-node was replaced');
      this.options.source.recheck(from);
    }
    for (const { chainTo, height, hash } of heads) this.headHeard({ from, to: chainTo }, { height, hash }, isReplaced);
  }

  /** A change of the mempool of a group, as announced. */
  poolChanged(group: number, change: PoolChange): void {
    if (this.isLive) this.pools.change(group, change);
  }

  private get isLive(): boolean {
    return this.options.state.phase === 'live';
  }

  private headHeard(chain: { readonly from: number; readonly to: number }, head: FeedPlace, isReplaced: boolean): void {
    const puller = this.pullers[flatIndex(chain, this.options.groups)];
    if (!puller) return;
    if (isReplaced) puller.request();
    else puller.heard(head);
  }

  private async load(): Promise<void> {
    const { database, groups, source, clock, logger, metrics } = this.options;
    const heads = await this.index.heads();
    for (const chain of allChainIndexes(groups)) {
      const head = heads.find((one) => sameChain(one.chain, chain));
      const place = head && { height: head.height, hash: head.hash };
      const followed = new FollowedChain(chain, place, Number(head?.timestamp ?? 0n));
      const puller = new ChainPuller(followed, {
        source,
        clock,
        logger,
        hashesAt: (of, heights) => appliedHashes(database, of, heights),
        changed: () => this.changed(),
        pullFailed: () => metrics.pullFailed(),
        failed: (error) => this.fail(error),
      });
      this.pullers.push(puller);
      if (head) this.dependencies.add(head.hash);
    }
    this.report();
  }

  /** One database transaction, or the wait for a reason for one. */
  private async step(): Promise<void> {
    this.isChanged = false;
    if (this.report() === 'stopped') return this.waitForChange();
    // Before the choice: what comes during the rest belongs to the next work.
    await this.rest.over();
    const work = await this.nextWork();
    if (!work) return this.waitForChange();
    if (work.kind === 'reorganise' && !this.mayUndo(work)) return;
    await this.perform(work);
  }

  private async nextWork(): Promise<Work | undefined> {
    const { groups } = this.options;
    const chains = this.pullers.filter(({ stoppedBy }) => stoppedBy === undefined).map(({ chain }) => chain);
    const limits = this.singles > 0 ? single : batch;
    for (;;) {
      const { work, missing } = nextWork(chains, this.dependencies.isKnown, { groups, limits });
      if (work || missing.size === 0) return work;
      if (await this.dependencies.lookUp(missing)) continue;
      this.dependencies.obtain(missing, this.pullers);
      return undefined;
    }
  }

  private mayUndo({ chain, forkHeight }: Extract<Work, { kind: 'reorganise' }>): boolean {
    const depth = chain.head!.height - forkHeight;
    const judgement = judgeDepth(depth);
    if (judgement === 'ordinary') return true;
    const { logger, state } = this.options;
    logger.error({ chain: chain.chain, depth, forkHeight }, judgement);
    if (judgement === 'DeepReorganisation') return true;
    state.phase = 'stopped';
    this.pullerOf(chain).stop(judgement);
    return false;
  }

  private async perform(work: Work): Promise<void> {
    const { metrics, live } = this.options;
    const blocks = work.kind === 'apply' ? work.blocks : work.added;
    const pullers = work.kind === 'apply' ? this.pullersOf(blocks) : [this.pullerOf(work.chain)];
    const undone = work.kind === 'apply' ? 0 : work.chain.head!.height - work.forkHeight;
    try {
      const measured = metrics.startApply();
      const change = await this.exclusive(() =>
        work.kind === 'apply'
          ? this.index.apply(blocks)
          : this.index.reorganise(work.chain.chain, work.forkHeight, work.added),
      );
      measured();
      metrics.undone(undone);
      if (this.isLive) live.blocks(change);
    } catch (error) {
      this.refused(error, work, pullers);
      return;
    }
    // The mempool has transactions of undone blocks, whose pool entries were ignored while the index still held the blocks.
    if (undone > 0 && this.isLive) this.work.track(this.pools.list(pullers[0]!.chain.chain.from));
    for (const { block } of blocks) this.dependencies.add(block.header.hash);
    for (const puller of pullers) {
      puller.chain.advance(
        work.kind === 'apply'
          ? blocks.filter(({ block }) => sameChain(block.header.chainIndex, puller.chain.chain)).length
          : blocks.length,
      );
      this.faults.delete(puller);
      puller.roomMade();
    }
    this.singles = Math.max(0, this.singles - blocks.length);
  }

  /** The database refuses blocks: a batch is tried block by block; a chain is pulled again once (protocol 08 §4.15). */
  private refused(error: unknown, work: Work, pullers: readonly ChainPuller[]): void {
    if (unavailableReason(error) !== undefined) throw error;
    if (work.kind === 'apply' && work.blocks.length > 1) {
      this.singles = work.blocks.length;
      return;
    }
    const puller = pullers[0]!;
    const faults = (this.faults.get(puller) ?? 0) + 1;
    this.faults.set(puller, faults);
    this.options.logger.error({ err: error, chain: puller.chain.chain }, 'blocks could not be applied');
    this.options.metrics.applyFailed();
    if (faults >= mostFaults) return puller.stop((error as Error).message);
    puller.chain.reset();
    puller.request();
  }

  private pullersOf(blocks: readonly FeedBlock[]): ChainPuller[] {
    const { groups } = this.options;
    return [...new Set(blocks.map(({ block }) => this.pullers[flatIndex(block.header.chainIndex, groups)]!))];
  }

  private pullerOf({ chain }: FollowedChain): ChainPuller {
    return this.pullers[flatIndex(chain, this.options.groups)]!;
  }

  private measure(): void {
    reportChains(this.pullers, this.options.state, this.options.metrics);
  }

  /** Reports the chains, and the phase when it changes. */
  private report(): Phase {
    const { state, clock, logger } = this.options;
    this.measure();
    const phase = phaseAfter(state.phase ?? 'initial', this.pullers, clock.now());
    if (state.phase === phase) return phase;
    state.phase = phase;
    logger.info({ phase }, 'the phase of the synchronisation changed');
    this.work.track(this.phaseChanged(phase));
    return phase;
  }

  private async phaseChanged(phase: Phase): Promise<void> {
    if (phase !== 'live') return;
    const { database, live } = this.options;
    // Blocks that were applied while the index was behind are no events.
    live.leaveOut();
    await this.exclusive(() => setMeta(database, 'first_sync_done', true));
    await this.listPools();
    await this.jobs.runAllDue();
  }

  private async reconcile(): Promise<void> {
    const { source, groups, logger, state } = this.options;
    const ask = async (group: number): Promise<void> => {
      try {
        const { epoch, heads } = await source.heads(group);
        state.heard(group, heads);
        this.heard(group, epoch, heads);
      } catch (error) {
        logger.debug({ err: error, group }, 'heads of group-node not available');
        // The second holders of its chains have their blocks, too; the intra-group chain waits (protocol 09 §8).
        for (const puller of this.pullers) if (puller.chain.chain.from === group) puller.request();
      }
    };
    await Promise.all(Array.from({ length: groups }, (_, group) => ask(group)));
  }

  /** The only event of the first sync (protocol 08 §6). */
  private async publishStats(): Promise<void> {
    const { reading, clock, live, logger } = this.options;
    try {
      live.stats(await inSnapshot(reading, (snapshot) => readStats(snapshot, clock.now()), statsTimeoutMs));
    } catch (error) {
      logger.debug({ err: error }, 'totals of the index not available');
    }
  }

  private async listPools(): Promise<void> {
    if (!this.isLive) return;
    await Promise.all(Array.from({ length: this.options.groups }, (_, group) => this.pools.list(group)));
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.stop();
  }

  private changed(): void {
    this.isChanged = true;
    this.wake();
  }

  private async waitForChange(): Promise<void> {
    if (this.isChanged) return;
    await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private async close(): Promise<void> {
    this.stop();
    this.options.source.close();
    await Promise.all([...this.pullers.map((puller) => puller.close()), this.work.close()]);
    await this.pools.settled();
  }
}
