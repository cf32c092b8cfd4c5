import { type Problem } from '@shardnode/core/http-server';
import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type PeerPublisher, serviceError, type SplitReport } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';
import { announceTips } from '../import/publish.js';
import { type Intake } from '../intake/index.js';
import { storeUnavailable } from '../store/index.js';
import { CatchUpLog } from './catch-up-log.js';
import { type ClockOffsets } from './clock-offsets.js';
import { type Puller, type RoundResult } from './puller.js';
import { SiblingLog } from './sibling-log.js';
import { SiblingProgress, type SiblingState } from './sibling-progress.js';
import { SettledHeads } from './settled-heads.js';
import { splitText, SplitWatch } from './split-watch.js';
import { UnknownBlocks } from './unknown-blocks.js';

export interface SyncParts {
  readonly state: GroupState;
  readonly puller: Puller;
  readonly intake: Intake;
  readonly peers: PeerPublisher;
  readonly clock: Clock;
  /** Pulls record clocks here, too. */
  readonly clocks: ClockOffsets;
  readonly logger: Logger;
  /** Resolves when everything pulled is imported and stored. */
  readonly settle: () => Promise<void>;
  /** The reason why memory differs from the store, if it does: then the node neither mines nor admits. */
  readonly storeProblem: () => string | undefined;
  /** See `SplitWatchParts.period`. */
  readonly splitPeriod?: number | undefined;
}

const clockIsOff = (offset: number): string => `its clock is ${offset} ms away from the clocks of its siblings`;

/** Actions for each cause, for operators. */
const actions = {
  clock: 'Set the clock of this machine, and keep it right with NTP; work goes on by itself.',
  store: 'Look at the database of this group: whether it runs, and whether its disk has room; work goes on by itself.',
  split:
    'Siblings build on a block that this group does not have. Compare versions, GENESIS_FILE and databases of both groups (docs/operations.md, A split); work goes on by itself once they agree.',
  behind: 'It goes on by itself. If it lasts, look at the siblings that it waits for, and at NATS.',
} as const;

/** Tips announced by a sibling. */
export interface ReceivedTips {
  readonly best: readonly Hash[];
  /** The sibling's clock, milliseconds since 1970. */
  readonly sentAt: number;
  /** Of its own chains; absent from older versions. */
  readonly heights?: readonly number[] | undefined;
  /** Of the sibling's process; absent from older versions, and from announcements of a commit. */
  readonly startedAt?: string | undefined;
}

/** Milliseconds. `moment`: a busy node may be some pages behind for so long before it is reported as not ready. */
const times = { look: 100, overdue: 200, heartbeat: 1_000, retry: 200, longestPause: 5_000, moment: 3_000 };

const farBehind = 'it has not caught up with its siblings';

/**
 * Compares this node with its siblings, and closes gaps (protocol 03 §12.5). At start everything is pulled before it
 * mines or admits. Later, a block that waits for a dependency that was never announced, or a sibling that builds on
 * blocks unknown here, is a gap, and gaps are pulled.
 */
export class SyncKeeper {
  private synced = false;
  private reason = 'it has not asked its siblings yet';
  private readonly unknown: UnknownBlocks;
  private readonly settledHeads: SettledHeads;
  private readonly progress: SiblingProgress;
  private readonly siblingLog: SiblingLog;
  private readonly splits: SplitWatch;
  private readonly catchUpLog: CatchUpLog;
  /** Identifies this start to the siblings. */
  private readonly startedAt: string;
  /** Monotonic: the time since which it must neither mine nor admit. */
  private notReadySince: number | undefined;
  private timer: Timer | undefined;
  private lastHeartbeat = Number.NEGATIVE_INFINITY;
  private stopped = false;
  private pulling: Promise<void> = Promise.resolve();
  private busy = false;
  /** Rebuilds of memory so far. */
  private losses = 0;
  /**
   * Messages of other groups that were not stored are lost with the memory, and the siblings were not queried for them
   * yet.
   */
  private hasLost = false;
  /**
   * Pause after pulls that brought nothing although all siblings responded; milliseconds, and on the monotonic clock.
   */
  private pause = 0;
  private pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: SyncParts) {
    const { state, intake, clock, logger, splitPeriod: period } = parts;
    this.settledHeads = new SettledHeads(state, (hash) => intake.isHere(hash));
    const isStored = (hash: Hash): boolean => state.memory.dag.holds(hash) || this.settledHeads.has(hash);
    this.unknown = new UnknownBlocks((hash) => !isStored(hash) && !intake.isHere(hash));
    const siblings = Array.from({ length: state.settings.groups }, (_, group) => group);
    this.progress = new SiblingProgress(
      siblings.filter((group) => group !== state.group),
      parts.clock,
      (from, to) => state.memory.published.currentHeight({ from, to }),
    );
    const { group } = state;
    this.siblingLog = new SiblingLog(clock, logger);
    const obstacleOf = (hash: Hash) => (isStored(hash) ? undefined : intake.obstacleOf(hash));
    this.splits = new SplitWatch({ state, clock, logger, period, obstacleOf });
    this.catchUpLog = new CatchUpLog(clock, logger, () =>
      state.memory.published.currentHeight({ from: group, to: group }),
    );
    this.startedAt = String(clock.now());
  }

  /** Begins in the background: siblings may start later than this node. */
  start(): void {
    this.pulling = this.untilSynced();
    this.look();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    await this.pulling;
  }

  /** A node without siblings, as in a replay, has nothing to wait for. */
  assumeSynced(): void {
    this.synced = true;
  }

  /** Milliseconds by which our clock is ahead of two siblings, when that exceeds the tolerance (decision 31). */
  clockOffset(): number | undefined {
    return this.parts.clocks.deviation();
  }

  /**
   * More than a page is missing here. Until it is imported there are no templates, and the node is not synced (protocol
   * 03 §12.5 point 3): blocks mined meanwhile would delay the hundreds of blocks that others wait for.
   */
  get isFarBehind(): boolean {
    return this.parts.puller.isFarBehind;
  }

  /** A block on which a sibling builds and that is refused or missing here, for as long as that lasts. */
  get split(): SplitReport | undefined {
    return this.splits.split;
  }

  /** The reason why the node must neither mine nor admit now; undefined when it may. */
  notReadyBecause(): string | undefined {
    const offset = this.clockOffset();
    return offset === undefined ? this.behindBecause() : clockIsOff(offset);
  }

  /**
   * The reason that is reported, with the action, the lag, and the start time. It neither mines nor admits while it is far
   * behind, but a moment of that is not worth a report.
   */
  problem(): Problem | undefined {
    const reason = this.notReadyBecause();
    const now = this.parts.clock.monotonic();
    const isMomentary = reason === farBehind && now - (this.notReadySince ?? now) < times.moment;
    if (reason === undefined || isMomentary) return undefined;
    const { group } = this.parts.state;
    const blocksBehind = this.siblings().reduce((sum, sibling) => sum + sibling.blocksBehind, 0);
    const forMs = now - (this.notReadySince ?? now);
    return { reason, action: this.action(), forMs, data: { group, blocksBehind, ...this.split } };
  }

  /** The progress of each sibling against this node. */
  siblings(): SiblingState[] {
    return this.progress.states((sibling) => this.parts.clocks.offset(sibling));
  }

  /** Throws `unavailable` where `notReadyBecause` has a reason (protocol 07 §1.13, decision 31). */
  requireReady(): void {
    this.requireClock();
    const reason = this.behindBecause();
    if (reason === undefined) return;
    const { group } = this.parts.state;
    if (this.parts.storeProblem() !== undefined) throw storeUnavailable(group, reason);
    if (this.split) {
      const text = `group ${group} neither mines nor takes transactions: ${reason}`;
      throw serviceError('ChainSplit', text, { group, ...this.split });
    }
    const text = `The node has not caught up with the network (group ${group}: ${reason}): ask again in a few seconds.`;
    throw serviceError('NotSynced', text, { group, reason });
  }

  /** Throws `unavailable` when our clock is off: no block may carry its time (decision 31). */
  requireClock(): void {
    const offset = this.clockOffset();
    if (offset === undefined) return;
    const { group } = this.parts.state;
    throw serviceError('ClockOff', `group ${group}: ${clockIsOff(offset)}`, {
      group,
      clockOffset: offset,
    });
  }

  /** A heartbeat or an announcement of a sibling. */
  tipsReceived(from: number, { best, sentAt, heights, startedAt }: ReceivedTips): void {
    const { state, clock, clocks, logger } = this.parts;
    this.progress.record(from, heights);
    this.siblingLog.record(from, startedAt);
    clocks.record(from, sentAt);
    state.announced.record(from, best);
    this.unknown.record(from, best, clock.monotonic());
    this.splits.record(from, best);
    // Announcements of commits name new blocks, and heartbeats name all again.
    if (startedAt === undefined) return;
    this.settledHeads
      .record(from, best)
      .catch((error: unknown) => logger.debug({ err: error }, 'heads of a sibling were not looked up'));
  }

  /**
   * Called after a rebuild of memory: pulls the lost data. Until then outputs that were shown are missing, and their
   * spenders must not get the error that the outputs never existed.
   */
  memoryRebuilt(): void {
    this.parts.intake.reset();
    this.losses++;
    // Without the check for gaps there would be no retry.
    this.hasLost = this.timer !== undefined;
    this.closeGap('memory was rebuilt');
  }

  /** Pulls everything that is missing here from the siblings; resolves when it is stored. */
  async catchUp(): Promise<RoundResult> {
    const { puller, settle } = this.parts;
    this.catchUpLog.begin();
    try {
      const result = await puller.catchUp();
      this.catchUpLog.pulled(result.fresh, !this.synced || this.hasLost || puller.isFarBehind);
      await settle();
      if (result.silent.length === 0) this.catchUpLog.end();
      return result;
    } finally {
      puller.caughtUp();
    }
  }

  private action(): string {
    if (this.clockOffset() !== undefined) return actions.clock;
    if (this.parts.storeProblem() !== undefined) return actions.store;
    return this.split ? actions.split : actions.behind;
  }

  /** `notReadyBecause`, but for the clock. */
  private behindBecause(): string | undefined {
    const problem = this.parts.storeProblem();
    if (problem !== undefined) return problem;
    if (!this.synced) return this.reason;
    if (this.hasLost) return 'it asks its siblings for what it had not stored';
    if (this.split) return splitText(this.split);
    return this.isFarBehind ? farBehind : undefined;
  }

  private async untilSynced(): Promise<void> {
    while (!this.stopped) {
      // Blocks pulled while the store is unavailable could not be stored, and would be requested five times a second.
      if (this.parts.storeProblem() === undefined && (await this.syncOnce())) return;
      await new Promise<void>((resolve) => this.parts.clock.after(times.retry, resolve));
    }
  }

  /** True when every sibling has responded and everything pulled is stored. Never rejects. */
  private async syncOnce(): Promise<boolean> {
    try {
      const { silent } = await this.catchUp();
      this.synced = silent.length === 0;
      if (!this.synced) this.reason = `it waits for group ${silent.join(', ')}`;
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'catching up failed; it is retried');
      this.reason = 'what its siblings sent was not stored';
    }
    return this.synced;
  }

  private look(): void {
    if (this.stopped) return;
    const { clock, logger } = this.parts;
    try {
      this.lookOnce();
    } catch (error) {
      logger.warn({ err: error }, 'the check for gaps failed');
    }
    this.timer = clock.after(times.look, () => this.look());
  }

  private lookOnce(): void {
    const { state, peers, clock } = this.parts;
    // By the monotonic clock: a wall clock that is set back must neither silence the heartbeat nor hide gaps for as
    // long.
    const now = clock.monotonic();
    if (now - this.lastHeartbeat >= times.heartbeat) {
      this.lastHeartbeat = now;
      announceTips(peers, state, state.shown.best, clock.now(), this.startedAt);
    }
    this.progress.look();
    this.siblingLog.look();
    this.lookForSplit();
    if (this.notReadyBecause() === undefined) this.notReadySince = undefined;
    else this.notReadySince ??= now;
    if (this.synced) this.lookForGaps(now);
  }

  private lookForSplit(): void {
    const takesBlocks = this.synced && !this.hasLost && this.parts.storeProblem() === undefined;
    if (takesBlocks) this.splits.look();
    else this.splits.pause();
  }

  private lookForGaps(now: number): void {
    // The rebuild of memory will pull everything missing.
    if (this.parts.storeProblem() !== undefined) return;
    const overdue = this.parts.intake.overdue(times.overdue);
    if (this.hasLost) return this.closeGap('memory was rebuilt');
    if (now < this.pausedUntil) return;
    if (overdue.length > 0) return this.closeGap('a block waits for its dependencies');
    if (this.unknown.areOverdue(times.overdue, now)) return this.closeGap('a sibling builds on unknown blocks');
    this.pause = 0;
  }

  private closeGap(why: string): void {
    if (this.busy || !this.synced) return;
    this.busy = true;
    this.parts.logger.debug({ why }, 'pulling from the siblings');
    const { losses } = this;
    this.pulling = this.catchUp()
      .then((result) => {
        // A sibling that is silent now must not stop this group: its gaps are still detected.
        if (losses === this.losses) this.hasLost = false;
        this.rest(result);
      })
      .catch((error: unknown) => this.parts.logger.warn({ err: error }, 'catching up failed'))
      .finally(() => (this.busy = false));
  }

  /**
   * Lengthens the pause for blocks that no sibling has: a poisoned message may have named them. In a split other blocks
   * still come, and no pull ends it soon.
   */
  private rest({ fresh, silent }: RoundResult): void {
    const isFruitless = (fresh === 0 && silent.length === 0) || this.split !== undefined;
    this.pause = isFruitless ? Math.min(Math.max(times.look, 2 * this.pause), times.longestPause) : 0;
    this.pausedUntil = this.parts.clock.monotonic() + this.pause;
  }
}
