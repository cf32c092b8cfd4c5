import { type Hash } from '@shardnode/protocol/primitives';

/**
 * Milliseconds for which a sibling's announcement counts: the named blocks may never arrive, as after a poisoned
 * message.
 */
const standsFor = 10_000;

/**
 * Blocks on which siblings build and that are missing here. Under load a sibling's newest blocks are always a little
 * ahead of this node, which is no gap. A gap is a single block that stays missing.
 */
export class UnknownBlocks {
  private readonly bySibling = new Map<number, { readonly hashes: readonly Hash[]; readonly since: number }>();

  /** @param isMissing neither stored nor in the intake */
  constructor(private readonly isMissing: (hash: Hash) => boolean) {}

  /**
   * Records a sibling's best dependencies. `now` in milliseconds. Blocks that it named before and that are still
   * missing count first.
   */
  record(sibling: number, best: readonly Hash[], now: number): void {
    const before = this.bySibling.get(sibling);
    if (before && now - before.since < standsFor && before.hashes.some(this.isMissing)) return;
    const hashes = best.filter(this.isMissing);
    if (hashes.length > 0) this.bySibling.set(sibling, { hashes, since: now });
    else this.bySibling.delete(sibling);
  }

  /** Whether a block has been missing for at least `age` milliseconds. */
  areOverdue(age: number, now: number): boolean {
    return [...this.bySibling.values()].some(({ hashes, since }) => now - since >= age && hashes.some(this.isMissing));
  }
}
