import { type Problem } from '@shardnode/core/http-server';
import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type PeerPublisher, serviceError } from '@shardnode/messages';
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
import { UnknownBlocks } from './unknown-blocks.js';

export interface SyncParts {
  readonly state: GroupState;
  readonly puller: Puller;
  readonly intake: Intake;
  readonly peers: PeerPublisher;
  readonly clock: Clock;
  /** ObserveResponse by pulls, too. */
  readonly clocks: ClockOffsets;
  readonly logger: Logger;
  /** Resolves when all that was pulled is imported and stored. */
  readonly settle: () => Promise<void>;
  /** Why memory is not what the store says, if so: nothing is mined or admitted then. */
  readonly storeProblem: () => string | undefined;
}

const clockIsOff = (offset: number): string => `its clock is ${offset} ms away from the clocks of its siblings`;

/** What to do about each cause, for whoever operates the node. */
const actions = {
  clock: 'Set the clock of this machine, and keep it right with NTP; work goes on by itself.',
  store: 'Look at the database of this group: whether it runs, and whether its disk has room; work goes on by itself.',
  behind: 'It goes on by itself. If it lasts, look at the siblings that it waits for, and at NATS.',
} as const;

/** News of a sibling. */
export interface ReceivedTips {
  readonly best: readonly Hash[];
  /** The sibling's clock, milliseconds since 1970. */
  readonly sentAt: number;
  /** Of its own chains; absent from older versions. */
  readonly heights?: readonly number[] | undefined;
  /** Of the sibling's process; absent from older versions, and from news of a commit. */
  readonly startedAt?: string | undefined;
}

/** Milliseconds. */
const times = { look: 100, overdue: 200, heartbeat: 1_000, retry: 200, longestPause: 5_000 };

/**
 * Whether this node has what its siblings have, and what it does about it (protocol 03 §12.5): at start everything is
 * pulled before it mines or admits; later, a block that waits for something that was never announced, or a sibling that
 * builds on blocks unknown here, is a gap, and gaps are pulled.
 */
export class SyncKeeper {
  private synced = false;
  private reason = 'it has not asked its siblings yet';
  private readonly unknown: UnknownBlocks;
  private readonly progress: SiblingProgress;
  private readonly siblingLog: SiblingLog;
  private readonly catchUpLog: CatchUpLog;
  /** Tells the siblings that this is another start than the one before. */
  private readonly startedAt: string;
  /** Monotonic: since when it must neither mine nor admit. */
  private notReadySince: number | undefined;
  private timer: Timer | undefined;
  private lastHeartbeat = Number.NEGATIVE_INFINITY;
  private stopped = false;
  private pulling: Promise<void> = Promise.resolve();
  private busy = false;
  /** Times that memory was made anew. */
  private losses = 0;
  /** What other groups sent and was not stored is gone with the memory, and the siblings were not asked for it yet. */
  private hasLost = false;
  /** After pulls that brought nothing, although all siblings answered; milliseconds, and on the monotonic clock. */
  private pause = 0;
  private pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: SyncParts) {
    const { state, intake, clock, logger } = parts;
    this.unknown = new UnknownBlocks((hash) => !state.memory.dag.has(hash) && !intake.isHere(hash));
    const siblings = Array.from({ length: state.settings.groups }, (_, group) => group);
    this.progress = new SiblingProgress(
      siblings.filter((group) => group !== state.group),
      parts.clock,
      (from, to) => state.memory.published.currentHeight({ from, to }),
    );
    const { group } = state;
    this.siblingLog = new SiblingLog(clock, logger);
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

  /** A node without siblings, as in a replay: nothing to wait for. */
  assumeSynced(): void {
    this.synced = true;
  }

  /** Milliseconds that our clock is ahead of two siblings', when that is too much (decision 31). */
  clockOffset(): number | undefined {
    return this.parts.clocks.deviation();
  }

  /**
   * More than a page is missing here. Until it is imported there are no templates, and the node is not synced (protocol 03
   * §12.5 point 3): what it mined meanwhile would hold up the hundreds of blocks that others wait for.
   */
  get isFarBehind(): boolean {
    return this.parts.puller.isFarBehind;
  }

  /** Why the node must neither mine nor admit now; undefined when it may. */
  notReadyBecause(): string | undefined {
    const offset = this.clockOffset();
    return offset === undefined ? this.behindBecause() : clockIsOff(offset);
  }

  /** The same with what to do, how far it is behind, and since when. */
  problem(): Problem | undefined {
    const reason = this.notReadyBecause();
    const now = this.parts.clock.monotonic();
    if (reason === undefined) return undefined;
    const { group } = this.parts.state;
    const blocksBehind = this.siblings().reduce((sum, sibling) => sum + sibling.blocksBehind, 0);
    return { reason, action: this.action(), forMs: now - (this.notReadySince ?? now), data: { group, blocksBehind } };
  }

  /** How this node and its siblings stand to each other. */
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

  /** A sibling's heartbeat or news. */
  tipsReceived(from: number, { best, sentAt, heights, startedAt }: ReceivedTips): void {
    const { state, clock, clocks } = this.parts;
    this.progress.record(from, heights);
    this.siblingLog.record(from, startedAt);
    clocks.record(from, sentAt);
    state.announced.record(from, best);
    this.unknown.record(from, best, clock.monotonic());
  }

  /**
   * The memory was made anew: what was lost with it is pulled. Until then outputs that were shown are not there, and who
   * spends them must not be told that they never were.
   */
  memoryRebuilt(): void {
    this.parts.intake.reset();
    this.losses++;
    // Without the look for gaps nobody would try again.
    this.hasLost = this.timer !== undefined;
    this.closeGap('the memory was made anew');
  }

  /** Asks the siblings for everything that is missing here; resolves when it is stored. */
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
    return this.parts.storeProblem() === undefined ? actions.behind : actions.store;
  }

  /** `notReadyBecause`, but for the clock. */
  private behindBecause(): string | undefined {
    const problem = this.parts.storeProblem();
    if (problem !== undefined) return problem;
    if (!this.synced) return this.reason;
    if (this.hasLost) return 'it asks its siblings for what it had not stored';
    return this.isFarBehind ? 'it has not caught up with its siblings' : undefined;
  }

  private async untilSynced(): Promise<void> {
    while (!this.stopped) {
      // What is pulled while the store is away could not be kept, and would be asked for five times a second.
      if (this.parts.storeProblem() === undefined && (await this.syncOnce())) return;
      await new Promise<void>((resolve) => this.parts.clock.after(times.retry, resolve));
    }
  }

  /** True when every sibling has answered and all of it is stored. Never rejects. */
  private async syncOnce(): Promise<boolean> {
    try {
      const { silent } = await this.catchUp();
      this.synced = silent.length === 0;
      if (!this.synced) this.reason = `it waits for group ${silent.join(', ')}`;
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'catching up failed; it is tried again');
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
      logger.warn({ err: error }, 'the look for gaps failed');
    }
    this.timer = clock.after(times.look, () => this.look());
  }

  private lookOnce(): void {
    const { state, peers, clock } = this.parts;
    // By the monotonic clock: one that was set back must neither silence the heartbeat nor hide gaps for as long.
    const now = clock.monotonic();
    if (now - this.lastHeartbeat >= times.heartbeat) {
      this.lastHeartbeat = now;
      announceTips(peers, state, state.shown.best, clock.now(), this.startedAt);
    }
    this.progress.look();
    this.siblingLog.look();
    if (this.notReadyBecause() === undefined) this.notReadySince = undefined;
    else this.notReadySince ??= now;
    if (this.synced) this.lookForGaps(now);
  }

  private lookForGaps(now: number): void {
    // Once memory is made anew everything that is missing is pulled anyway.
    if (this.parts.storeProblem() !== undefined) return;
    const overdue = this.parts.intake.overdue(times.overdue);
    if (this.hasLost) return this.closeGap('the memory was made anew');
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
        // A sibling that is silent now must not keep this group from its work: its gaps are found as ever.
        if (losses === this.losses) this.hasLost = false;
        this.rest(result);
      })
      .catch((error: unknown) => this.parts.logger.warn({ err: error }, 'catching up failed'))
      .finally(() => (this.busy = false));
  }

  /** What nobody has, a poisoned message may have named: it is asked for less and less often. */
  private rest({ fresh, silent }: RoundResult): void {
    const isFruitless = fresh === 0 && silent.length === 0;
    this.pause = isFruitless ? Math.min(Math.max(times.look, 2 * this.pause), times.longestPause) : 0;
    this.pausedUntil = this.parts.clock.monotonic() + this.pause;
  }
}
