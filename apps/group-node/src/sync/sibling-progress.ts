import { type Clock } from '@shardnode/core/lifecycle';

/** Progress of a sibling against this node. */
export interface SiblingState {
  readonly group: number;
  /** Blocks of its own chains that it announced and that are missing here. */
  readonly blocksBehind: number;
  /** Milliseconds for which a block of it has been missing; 0: none is. */
  readonly behindForMs: number;
  /** Milliseconds since its last message; undefined: none yet. */
  readonly silentForMs: number | undefined;
  /** Our clock minus its own, milliseconds; undefined while unknown. */
  readonly clockOffsetMs: number | undefined;
}

interface Report {
  readonly at: number;
  /** Of its own chains; absent from older versions. */
  readonly heights: readonly number[] | undefined;
}

/**
 * The lag behind each sibling, by the heights in their heartbeats. For people and metrics only: gaps are closed by
 * hashes (`UnknownBlocks`).
 */
export class SiblingProgress {
  private readonly lastReport = new Map<number, Report>();
  private readonly behindSince = new Map<number, number>();

  constructor(
    private readonly siblings: readonly number[],
    private readonly clock: Pick<Clock, 'monotonic'>,
    /** Height here of the chain between two groups. */
    private readonly heightHere: (from: number, to: number) => number,
  ) {}

  record(sibling: number, heights: readonly number[] | undefined): void {
    this.lastReport.set(sibling, { at: this.clock.monotonic(), heights });
  }

  /** Call it periodically: it records when a lag begins. */
  look(): void {
    const now = this.clock.monotonic();
    for (const sibling of this.siblings) {
      if (this.blocksBehind(sibling) === 0) this.behindSince.delete(sibling);
      else if (!this.behindSince.has(sibling)) this.behindSince.set(sibling, now);
    }
  }

  blocksBehind(sibling: number): number {
    const heights = this.lastReport.get(sibling)?.heights ?? [];
    return heights.reduce((sum, height, to) => sum + Math.max(0, height - this.heightHere(sibling, to)), 0);
  }

  states(offsetOf: (sibling: number) => number | undefined): SiblingState[] {
    this.look();
    const now = this.clock.monotonic();
    return this.siblings.map((group) => {
      const since = this.behindSince.get(group);
      const report = this.lastReport.get(group);
      return {
        group,
        blocksBehind: this.blocksBehind(group),
        behindForMs: since === undefined ? 0 : now - since,
        silentForMs: report && now - report.at,
        clockOffsetMs: offsetOf(group),
      };
    });
  }
}
