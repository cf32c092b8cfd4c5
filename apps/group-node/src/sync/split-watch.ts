import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger, LogLimiter } from '@shardnode/core/observability';
import { type SplitReport } from '@shardnode/messages';
import { chainIndexOfHash } from '@shardnode/protocol/block';
import { type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';
import { type Obstacle } from '../intake/index.js';
import { type AnnouncedHead, judgeSplit, type LackingHead } from './chain-split.js';

/** Milliseconds. */
const usualPeriod = 30_000;

/** Milliseconds after which the heads of a silent sibling count no more: heartbeats arrive each second. */
const standsFor = 10_000;

export interface SplitWatchParts {
  readonly state: GroupState;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
  /** Why a block is not here; undefined: it is, or it is being imported. */
  readonly obstacleOf: (hash: Hash) => Obstacle | undefined;
  /** Milliseconds for which heads may be lacking; default: half a minute. */
  readonly period?: number | undefined;
}

interface Found {
  readonly report: SplitReport;
  /** Monotonic milliseconds. */
  readonly since: number;
}

const causeText = (cause: string): string => {
  if (cause === 'missing') return 'which is missing here and which no group sends';
  if (cause === 'undecided') return 'which could not be judged here: the log has the fault';
  return `which ${cause} refuses here`;
};

/** A clause for people. */
export const splitText = ({ sibling, block, from, to, cause }: SplitReport): string =>
  `group ${sibling} builds on block ${block} of chain (${from}, ${to}), ${causeText(cause)}`;

/** Watches whether siblings build on blocks that this node refuses or cannot get. Logs when that begins and ends. */
export class SplitWatch {
  private readonly announced = new Map<number, { readonly best: readonly Hash[]; readonly at: number }>();
  private lacking: readonly LackingHead[] = [];
  private found: Found | undefined;
  private readonly rarely: LogLimiter;

  constructor(private readonly parts: SplitWatchParts) {
    this.rarely = new LogLimiter(parts.clock);
  }

  get split(): SplitReport | undefined {
    return this.found?.report;
  }

  /** `best`: the best dependencies of a sibling. */
  record(sibling: number, best: readonly Hash[]): void {
    this.announced.set(sibling, { best, at: this.parts.clock.monotonic() });
  }

  /** Call it several times a second, while this node takes blocks. */
  look(): void {
    const { clock, period = usualPeriod } = this.parts;
    const now = clock.monotonic();
    const { lacking, split } = judgeSplit(this.lacking, this.heads(now), now, period);
    this.lacking = lacking;
    this.note(split?.obstacle && { report: this.reportOf(split.sibling, split.obstacle), since: split.since }, now);
  }

  /** This node takes no blocks now: that none came says nothing. */
  pause(): void {
    if (!this.found) this.lacking = [];
  }

  private heads(now: number): AnnouncedHead[] {
    const { obstacleOf } = this.parts;
    return [...this.announced]
      .filter(([, { at }]) => now - at < standsFor)
      .flatMap(([sibling, { best }]) =>
        best.map((head, slot) => {
          const obstacle = obstacleOf(head);
          return { sibling, slot, obstacle, stored: obstacle ? this.storedOf(head) : '' };
        }),
      );
  }

  private storedOf(head: Hash): string {
    const { memory, settings } = this.parts.state;
    return memory.published.tips(chainIndexOfHash(head, settings.groups)).join();
  }

  private reportOf(sibling: number, { block, cause }: Obstacle): SplitReport {
    return { sibling, block, cause, ...chainIndexOfHash(block, this.parts.state.settings.groups) };
  }

  private note(found: Found | undefined, now: number): void {
    const { logger } = this.parts;
    const before = this.found;
    this.found = found;
    if (found && !before) {
      const forMs = Math.round(now - found.since);
      this.rarely.log(found.report.block, (suppressed) =>
        logger.error(
          { ...found.report, forMs, suppressed },
          'the chains have split: no blocks are made, no transactions taken',
        ),
      );
    }
    if (before && !found) {
      const { sibling, block } = before.report;
      logger.info({ sibling, block, forMs: Math.round(now - before.since) }, 'the split of the chains is over');
    }
  }
}
