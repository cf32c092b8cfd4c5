import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { fromMemory, isAncestorNode, outDep, sameBlock } from '@shardnode/protocol/dag';
import { type ChainIndex, flatIndex, type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';
import { type ImportItem } from '../import/import-item.js';
import { repeat } from '../event-loop/repeat.js';
import { minableChains } from './minable.js';
import { type Miner } from './miner.js';
import { Pace } from './pace.js';

/** Mode of mining. `instant`: on demand (protocol 02 §13.9, decision 22); `interval`: all own chains periodically. */
export type MiningMode = 'instant' | 'interval' | 'off';

export interface ScheduleSettings {
  readonly mode: MiningMode;
  /** Milliseconds between two rounds of mode `interval`, and of rounds on request. */
  readonly interval: number;
  /** Milliseconds between two heartbeat blocks of mode `instant`, in rotation over the own chains; 0: none. */
  readonly heartbeat: number;
  /**
   * Milliseconds in which the follow-up blocks of the sender's group gather the blocks that they include. After as long
   * without one, the next is made at once, in both groups.
   */
  readonly followUp: number;
  /** Gathering of the receiver's group; default: `incomingFollowUp`. */
  readonly incomingFollowUp?: number | undefined;
  /** Whether the receiver's group gathers on an idle network, too. Default: false. */
  readonly alwaysGathersIncoming?: boolean;
}

export interface ScheduleParts {
  readonly state: GroupState;
  readonly miner: Miner;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mayMine: () => boolean;
}

/**
 * Milliseconds. The receiver sees and spends coins once the sender's group has included them: only the third count of
 * confirmations depends on this block.
 */
const incomingFollowUp = 2_000;

interface FollowUp {
  readonly timer: Timer;
  /** On the monotonic clock. */
  readonly due: number;
}

/** Milliseconds between two checks of the pool for minable transactions. */
const poolLook = 1_000;

/**
 * Schedules blocks. With mining on demand a transaction from group f to group t is mined on (f,t) by its submit. Two
 * follow-ups bring it to the receiver: a block of (f,f) that includes it, made by group f, and a block of (t,t) that
 * includes that one, made by group t after the header of the former has arrived. On an idle network both are made at
 * once. Under load both wait to gather several transfers: the former a short time, because the coins can be spent after
 * it; the latter longer.
 */
export class MiningSchedule {
  private readonly followUps = new Map<number, FollowUp>();
  /** When the last follow-up of each chain was made, on the monotonic clock. */
  private readonly followedAt = new Map<number, number>();
  private readonly repeated: Timer[] = [];
  private rounds: Timer | undefined;
  private poolTimer: Timer | undefined;
  private paceTimer: Timer | undefined;
  private readonly pace = new Pace();
  private nextHeartbeat = 0;
  private stopped = false;

  constructor(
    private readonly parts: ScheduleParts,
    private readonly settings: ScheduleSettings,
  ) {}

  start(): void {
    const { mode, heartbeat } = this.settings;
    if (mode === 'interval') this.startRounds();
    if (mode !== 'instant') return;
    const { clock } = this.parts;
    if (heartbeat > 0) this.repeated.push(repeat(clock, heartbeat, () => this.beat()));
    // For transactions that a fault of this node left unmined.
    this.repeated.push(repeat(clock, poolLook, async () => this.lookAtPool()));
    // Transactions acknowledged before a restart must not wait for the heartbeat.
    this.lookAtPool();
  }

  stop(): void {
    this.stopped = true;
    this.stopRounds();
    for (const timer of this.repeated) timer.cancel();
    this.poolTimer?.cancel();
    this.paceTimer?.cancel();
    for (const { timer } of this.followUps.values()) timer.cancel();
  }

  /** Periodic blocks of all own chains (protocol 07 §13), in addition to those on demand. */
  startRounds(): void {
    if (this.stopped) return;
    this.rounds ??= repeat(this.parts.clock, this.settings.interval, () => this.round());
  }

  stopRounds(): void {
    this.rounds?.cancel();
    this.rounds = undefined;
  }

  /** Makes a block of the chain soon. */
  followUp(chain: ChainIndex): void {
    this.mineWithin(this.settings.followUp, chain, () => true);
  }

  /** Schedules our next intra-group block when a sibling's group has included blocks for us. */
  published(items: readonly ImportItem[]): void {
    if (this.settings.mode !== 'instant') return;
    const { group } = this.parts.state;
    this.lookAtPool();
    this.keepPace(items);
    const isNeeded = (): boolean => this.bringsIncoming();
    if (isNeeded()) {
      const { incomingFollowUp: gathering = incomingFollowUp, alwaysGathersIncoming } = this.settings;
      this.mineWithin(gathering, { from: group, to: group }, isNeeded, !alwaysGathersIncoming);
    }
  }

  /** Schedules blocks for transactions that could not be mined before. */
  lookAtPool(): void {
    if (this.stopped || this.poolTimer || this.parts.state.pool.size === 0) return;
    this.poolTimer = this.parts.clock.after(this.settings.followUp, () => {
      this.poolTimer = undefined;
      void this.mineFromPool();
    });
  }

  /**
   * Schedules a block of the chain: at once when there is nothing to gather with, otherwise in so many milliseconds,
   * unless an earlier one is planned. Makes none when `isNeeded` is false by then.
   */
  private mineWithin(gathering: number, chain: ChainIndex, isNeeded: () => boolean, mayHurry = true): void {
    const { clock, state } = this.parts;
    const key = flatIndex(chain, state.settings.groups);
    const now = clock.monotonic();
    const planned = this.followUps.get(key);
    const isQuiet = mayHurry && !planned && now - (this.followedAt.get(key) ?? -Infinity) >= this.settings.followUp;
    const milliseconds = isQuiet ? 0 : gathering;
    const due = now + milliseconds;
    if (this.stopped || (planned && planned.due <= due)) return;
    planned?.timer.cancel();
    const timer = clock.after(milliseconds, () => {
      this.followUps.delete(key);
      this.followedAt.set(key, clock.monotonic());
      void this.mineWhenAllowed(chain, isNeeded);
    });
    this.followUps.set(key, { timer, due });
  }

  private async mineWhenAllowed(chain: ChainIndex, isNeeded: () => boolean): Promise<void> {
    try {
      if (!isNeeded()) return;
      if (!this.parts.mayMine()) return this.mineWithin(this.settings.followUp, chain, isNeeded);
    } catch (error) {
      return this.parts.logger.warn({ err: error, chain }, 'a follow-up was given up');
    }
    await this.mine(chain);
  }

  private async mineFromPool(): Promise<void> {
    try {
      if (!this.parts.mayMine()) return this.lookAtPool();
      await this.mineAll(await minableChains(this.parts.state));
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'the check of the pool failed');
    }
  }

  private keepPace(items: readonly ImportItem[]): void {
    const { state, clock } = this.parts;
    for (const { header } of items) this.pace.saw(state, header.hash);
    if (this.stopped || this.paceTimer || this.pace.lagging(state).length === 0) return;
    this.paceTimer = clock.after(this.settings.followUp, () => void this.catchUp());
  }

  private async catchUp(): Promise<void> {
    try {
      await this.mineAll(this.pace.lagging(this.parts.state));
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'quiet chains were not moved');
    } finally {
      this.paceTimer = undefined;
    }
  }

  /** Whether our best dependencies include blocks for us that our newest intra-group block does not. */
  private bringsIncoming(): boolean {
    const { memory, group, settings, shown } = this.parts.state;
    const { dag } = memory;
    const inCount = settings.groups - 1;
    const isAhead = (hash: Hash, slot: number): boolean => {
      const incoming = outDep(dag.node(hash), group);
      const included = outDep(dag.node(shown.best[inCount + group]!).dep(slot), group);
      return !sameBlock(incoming, included) && isAncestorNode(included, incoming);
    };
    // Settled blocks are not in memory: chains so far apart need a block, too.
    return shown.best.slice(0, inCount).some((hash, slot) => fromMemory(() => isAhead(hash, slot)) ?? true);
  }

  /** Inter-group chains first, so that the intra-group block includes them. */
  private async round(): Promise<void> {
    const { group, settings } = this.parts.state;
    const others = Array.from({ length: settings.groups }, (_, to) => to).filter((to) => to !== group);
    await this.mineAll([...others, group].map((to) => ({ from: group, to })));
  }

  private async beat(): Promise<void> {
    const { group, settings } = this.parts.state;
    const to = this.nextHeartbeat++ % settings.groups;
    await this.mine({ from: group, to });
  }

  /** Mines in this order, with one commit. */
  private async mineAll(chains: readonly ChainIndex[]): Promise<void> {
    await Promise.all(chains.map((chain) => this.mine(chain)));
  }

  private async mine(chain: ChainIndex): Promise<void> {
    // No caller awaits work of timers: an error ends here, not the process.
    try {
      if (this.stopped || !this.parts.mayMine()) return;
      await this.parts.miner.mine(chain);
    } catch (error) {
      if (!this.stopped) this.parts.logger.warn({ err: error, chain }, 'mining failed');
    }
  }
}
