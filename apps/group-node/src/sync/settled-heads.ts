import { type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';

/**
 * Blocks on which siblings build and that are settled here: a sibling that is far behind names them. They are neither
 * missing nor a split, although they are not in memory.
 */
export class SettledHeads {
  private readonly bySibling = new Map<number, ReadonlySet<Hash>>();

  constructor(
    private readonly state: GroupState,
    /** Whether the block is in the intake, and so not stored yet. */
    private readonly isArriving: (hash: Hash) => boolean,
  ) {}

  has(hash: Hash): boolean {
    return [...this.bySibling.values()].some((hashes) => hashes.has(hash));
  }

  /** Looks in the store for the best dependencies of a sibling that are not in memory. */
  async record(sibling: number, best: readonly Hash[]): Promise<void> {
    const { memory } = this.state;
    const unsure = best.filter((hash) => !memory.dag.holds(hash) && !this.isArriving(hash));
    const missing = new Set(unsure.length > 0 ? await memory.loaded(() => memory.dag.missing(unsure)) : []);
    this.bySibling.set(sibling, new Set(unsure.filter((hash) => !missing.has(hash))));
  }
}
