import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { fromMemory, isAncestorNode } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from './group-state.js';

interface Waiter {
  readonly hash: Hash;
  readonly resolve: (included: boolean) => void;
}

/**
 * Whether the view of queries includes a block of an own or incoming chain (architecture, decision 16). Throws
 * BlocksMissing.
 */
const includesBlock = ({ memory, group, settings, shown }: GroupState, hash: Hash): boolean => {
  if (!memory.published.has(hash)) return false;
  const block = memory.published.node(hash);
  const { from, to } = block;
  const tip =
    from === group ? shown.best[settings.groups - 1 + to] : to === group ? shown.incomingTips.get(from) : undefined;
  return tip !== undefined && isAncestorNode(block, memory.dag.node(tip));
};

/** The same for a block that is in memory; false for any other. */
const showsBlock = (state: GroupState, hash: Hash): boolean =>
  state.memory.published.holds(hash) && (fromMemory(() => includesBlock(state, hash)) ?? false);

/** Whether a sibling includes incoming blocks that are here and not in the view. */
const isBehind = ({ memory, group, settings, shown, announced }: GroupState): boolean =>
  [...shown.incomingTips].some(([sibling, tip]) => {
    const newest = announced.newestKnown(memory.dag, sibling, settings.groups - 1 + group);
    return newest !== undefined && newest !== tip;
  });

/** Callers that wait until the view shows a block. While there are any, foreign blocks are committed without delay. */
export class ViewWaiters {
  private readonly waiting = new Set<Waiter>();
  private timer: Timer | undefined;

  constructor(
    private readonly state: GroupState,
    private readonly clock: Clock,
    /** Updates the view as soon as the writer's queue allows. */
    private readonly refreshSoon: () => void,
    /** Milliseconds that an announcement of a sibling may wait while there are no callers. */
    private readonly lazyFor: number,
  ) {}

  get any(): boolean {
    return this.waiting.size > 0;
  }

  /** Resolves to true as soon as the view shows the block; to false after `patience` milliseconds. */
  async shows(hash: Hash, patience: number): Promise<boolean> {
    const { state, clock } = this;
    if (showsBlock(state, hash)) return true;
    const until = clock.monotonic() + patience;
    if (state.memory.dag.mayBeSettled(hash) && (await this.isSettled(hash, patience))) return true;
    return this.arrives(hash, until - clock.monotonic());
  }

  /** Whether the view shows a block that only the store has; false, too, when the store takes longer than that. */
  private async isSettled(hash: Hash, patience: number): Promise<boolean> {
    const { state, clock } = this;
    let timer: Timer | undefined;
    const tooLong = new Promise<boolean>((resolve) => {
      timer = clock.after(patience, () => resolve(false));
    });
    try {
      return await Promise.race([state.memory.loaded(() => includesBlock(state, hash)), tooLong]);
    } finally {
      timer?.cancel();
    }
  }

  private arrives(hash: Hash, patience: number): Promise<boolean> {
    if (showsBlock(this.state, hash)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = this.clock.after(patience, () => waiter.resolve(false));
      const waiter: Waiter = {
        hash,
        resolve: (included) => {
          timer.cancel();
          this.waiting.delete(waiter);
          resolve(included);
        },
      };
      this.waiting.add(waiter);
      this.refreshSoon();
    });
  }

  /**
   * A sibling announced its best dependencies: the view may show the blocks that they include, at once if a caller
   * waits for one.
   */
  siblingMoved(): void {
    if (this.any) return this.refreshSoon();
    if (this.timer || !isBehind(this.state)) return;
    this.timer = this.clock.after(this.lazyFor, () => {
      this.timer = undefined;
      this.refreshSoon();
    });
  }

  /** Called after a change of the view. */
  look(): void {
    for (const waiter of this.waiting) if (showsBlock(this.state, waiter.hash)) waiter.resolve(true);
  }
}
