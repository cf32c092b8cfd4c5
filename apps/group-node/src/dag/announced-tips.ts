import { type BlockDag } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';

/** Announcements of one sibling that are retained while their blocks are missing here. */
const remembered = 64;

/**
 * Best dependencies that the siblings announced (protocol 03 §12.6). An announcement may arrive before its blocks.
 * Until they are stored here, the previous announcement counts, so that outputs that queries have shown do not vanish.
 */
export class AnnouncedTips {
  private readonly bySibling = new Map<number, readonly (readonly Hash[])[]>();

  /** `best`: 2G-1 hashes. */
  record(sibling: number, best: readonly Hash[]): void {
    const before = this.bySibling.get(sibling) ?? [];
    this.bySibling.set(sibling, [best, ...before].slice(0, remembered));
  }

  /** The newest announcement of a sibling. */
  newest(sibling: number): readonly Hash[] | undefined {
    return this.bySibling.get(sibling)?.[0];
  }

  /**
   * The newest announced hash in this slot whose block is in memory: what a settled one includes, the best dependencies
   * include. Drops the older announcements.
   */
  newestKnown(reader: Pick<BlockDag, 'holds'>, sibling: number, slot: number): Hash | undefined {
    const announcements = this.bySibling.get(sibling) ?? [];
    const index = announcements.findIndex((best) => reader.holds(best[slot]!));
    if (index < 0) return undefined;
    if (index + 1 < announcements.length) this.bySibling.set(sibling, announcements.slice(0, index + 1));
    return announcements[index]![slot];
  }
}
