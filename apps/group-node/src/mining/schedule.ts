import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { isAncestorNode, outDep } from '@shardnode/protocol/dag';
import { type ChainIndex, flatIndex } from '@shardnode/protocol/primitives';
import { type GroupState } from '../group-state.js';
import { type ImportItem } from '../import/import-item.js';
import { minableChains } from './minable.js';
import { type Miner } from './miner.js';
import { Pace } from './pace.js';

/** When blocks are made. `instant`: on demand (protocol 02 §13.9, decision 22); `interval`: all own chains every so often. */
export type MiningMode = 'instant' | 'interval' | 'off';

export interface ScheduleSettings {
  readonly mode: MiningMode;
  /** Milliseconds between two rounds of mode `interval`. */
  readonly interval: number;
  /** Milliseconds between two blocks of the heartbeat of mode `instant`, round the own chains; 0: none. */
  readonly heartbeat: number;
  /** Milliseconds in which follow-up blocks gather what they are to include. */
  readonly followUp: number;
}

export interface ScheduleParts {
  readonly state: GroupState;
  readonly miner: Miner;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mayMine: () => boolean;
}

/** Milliseconds between two looks at what is pending and could be mined. */
const poolLook = 1_000;

/**
 * Decides when blocks are made. With mining on demand a transaction from group f to group t is mined on (f,t) by its
 * submit; two follow-ups take it to the receiver: a block of (f,f) that includes it, made by group f, and a block of (t,t)
 * that includes that one, made by group t when the header of the former arrives. Both gather for some milliseconds, so that
 * many transfers share them.
 */
export class MiningSchedule {
  private readonly followUps = new Map<number, Timer>();
  private readonly repeated = new Set<Timer>();
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
    const { mode, interval, heartbeat } = this.settings;
    if (mode === 'interval') this.every(interval, () => this.round());
    if (mode === 'instant' && heartbeat > 0) this.every(heartbeat, () => this.beat());
    // What could not be mined when its time came, for a fault of ours.
    if (mode === 'instant') this.every(poolLook, async () => this.lookAtPool());
    // What was acknowledged before a restart is not to wait for the heartbeat.
    if (mode === 'instant') this.lookAtPool();
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.repeated) timer.cancel();
    this.poolTimer?.cancel();
    this.paceTimer?.cancel();
    for (const timer of this.followUps.values()) timer.cancel();
  }

  /** Makes a block of the chain soon. */
  followUp(chain: ChainIndex): void {
    const key = flatIndex(chain, this.parts.state.settings.groups);
    if (this.stopped || this.followUps.has(key)) return;
    const timer = this.parts.clock.after(this.settings.followUp, () => {
      this.followUps.delete(key);
      void this.mineWhenAllowed(chain);
    });
    this.followUps.set(key, timer);
  }

  /** A block of another group's intra-group chain that includes blocks for us: our next intra-group block takes them in. */
  published(items: readonly ImportItem[]): void {
    if (this.settings.mode !== 'instant') return;
    const { group } = this.parts.state;
    this.lookAtPool();
    this.keepPace(items);
    for (const { header } of items) {
      const { from, to } = header.chainIndex;
      if (from !== to || from === group || !this.bringsIncoming(header.hash)) continue;
      this.followUp({ from: group, to: group });
      return;
    }
  }

  /** Transactions that had to wait for something else: soon they may be in a block. */
  lookAtPool(): void {
    if (this.stopped || this.poolTimer || this.parts.state.pool.size === 0) return;
    this.poolTimer = this.parts.clock.after(this.settings.followUp, () => {
      this.poolTimer = undefined;
      void this.mineFromPool();
    });
  }

  private async mineWhenAllowed(chain: ChainIndex): Promise<void> {
    try {
      if (!this.parts.mayMine()) return this.followUp(chain);
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
      this.parts.logger.warn({ err: error }, 'the pool was not looked at');
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

  /** Whether the block of (k,k) includes blocks of (k, own) that our newest intra-group block does not. */
  private bringsIncoming(hash: string): boolean {
    const { memory, group, settings, shown } = this.parts.state;
    const { dag } = memory;
    const block = dag.node(hash);
    const incoming = outDep(block, group);
    const home = dag.node(shown.best[settings.groups - 1 + group]!);
    const slot = block.from < group ? block.from : block.from - 1;
    const included = outDep(home.deps[slot]!, group);
    return incoming !== included && isAncestorNode(included, incoming);
  }

  private every(milliseconds: number, action: () => Promise<void>): void {
    if (this.stopped) return;
    const timer = this.parts.clock.after(milliseconds, () => {
      this.repeated.delete(timer);
      void action().finally(() => this.every(milliseconds, action));
    });
    this.repeated.add(timer);
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

  /** In this order, with one commit. */
  private async mineAll(chains: readonly ChainIndex[]): Promise<void> {
    await Promise.all(chains.map((chain) => this.mine(chain)));
  }

  private async mine(chain: ChainIndex): Promise<void> {
    // Nobody awaits what timers begin: whatever is thrown ends here, not the process.
    try {
      if (this.stopped || !this.parts.mayMine()) return;
      await this.parts.miner.mine(chain);
    } catch (error) {
      if (!this.stopped) this.parts.logger.warn({ err: error, chain }, 'mining failed');
    }
  }
}
