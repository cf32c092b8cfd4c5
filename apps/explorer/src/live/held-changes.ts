import { sleep, type Clock } from '@shardnode/core/lifecycle';
import { type LiveChange } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';

/** Milliseconds: how long an event is held back at most (protocol 08 §6), and between two looks at the database. */
const holding = { longest: 5_000, look: 50 };

const newestBlock = (changes: readonly LiveChange[]): Hash | undefined =>
  changes
    .flatMap((change) => {
      if (change.name === 'block') return [change.data.hash];
      return change.name === 'reorg' ? change.data.added.map(({ hash }) => hash) : [];
    })
    .at(-1);

/**
 * Holds changes back until the database of this process shows them: it may be a replica, and a client must be
 * able to fetch the block that it was notified of. A replica shows commits in their order: the newest block decides for
 * all.
 */
export class HeldChanges {
  private held: LiveChange[] = [];
  private isReleasing = false;

  /** @param shows whether the database has a block */
  constructor(
    private readonly shows: (hash: Hash) => Promise<boolean>,
    private readonly clock: Clock,
    private readonly release: (change: LiveChange) => void,
  ) {}

  add(change: LiveChange): void {
    this.held.push(change);
    if (!this.isReleasing) void this.releaseAll();
  }

  private async releaseAll(): Promise<void> {
    this.isReleasing = true;
    while (this.held.length > 0) {
      const changes = this.held;
      this.held = [];
      const hash = newestBlock(changes);
      if (hash !== undefined) await this.shown(hash);
      for (const change of changes) this.release(change);
    }
    this.isReleasing = false;
  }

  private async shown(hash: Hash): Promise<void> {
    const began = this.clock.monotonic();
    while (!(await this.shows(hash).catch(() => false))) {
      if (this.clock.monotonic() - began >= holding.longest) return;
      await sleep(this.clock, holding.look);
    }
  }
}
