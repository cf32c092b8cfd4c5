import { type Hash } from '@shardnode/protocol/primitives';

/** Milliseconds for which a sibling's word stands: what it named may never come, as after a poisoned message. */
const standsFor = 10_000;

/**
 * What siblings build on and is missing here. Under load a sibling's newest blocks are always a little ahead of us, which
 * is no gap: one and the same block that does not come is.
 */
export class UnknownBlocks {
  private readonly bySibling = new Map<number, { readonly hashes: readonly Hash[]; readonly since: number }>();

  /** @param isMissing neither known nor on its way through the intake */
  constructor(private readonly isMissing: (hash: Hash) => boolean) {}

  /** A sibling's best dependencies. `now` in milliseconds. What it named before, and still is missing, counts first. */
  record(sibling: number, best: readonly Hash[], now: number): void {
    const before = this.bySibling.get(sibling);
    if (before && now - before.since < standsFor && before.hashes.some(this.isMissing)) return;
    const hashes = best.filter(this.isMissing);
    if (hashes.length > 0) this.bySibling.set(sibling, { hashes, since: now });
    else this.bySibling.delete(sibling);
  }

  /** Whether something has been missing for at least `age` milliseconds. */
  areOverdue(age: number, now: number): boolean {
    return [...this.bySibling.values()].some(({ hashes, since }) => now - since >= age && hashes.some(this.isMissing));
  }
}
