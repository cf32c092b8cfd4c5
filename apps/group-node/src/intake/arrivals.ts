import { type Clock } from '@shardnode/core/lifecycle';
import { serviceError } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';

interface Waiter {
  readonly look: () => Promise<void>;
}

/** Limit of waiting callers; one more is refused as `unavailable` with code `TooManyWaiting`. */
const capacity = 10_000;

export interface ArrivalsParts {
  readonly clock: Clock;
  /** Whether it is imported, stored or not. */
  readonly has: (hash: Hash) => boolean;
  /** Whether it was imported so long ago that it is not in memory; undefined: it cannot be. */
  readonly isSettled?: (hash: Hash) => Promise<boolean> | undefined;
  /** Runs the work as a task of the writer's queue. */
  readonly enqueue: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Callers that wait for the import of a block, to read the node right after it and before the next import. */
export class Arrivals {
  private readonly waiting = new Map<Hash, Set<Waiter>>();
  private count = 0;

  constructor(private readonly parts: ArrivalsParts) {}

  /**
   * The result of `look` right after the import of the block, or at once when the block is imported already. Undefined
   * when it is not imported within `patience` milliseconds.
   */
  async after<Result>(hash: Hash, patience: number, look: () => Promise<Result>): Promise<Result | undefined> {
    const { has, isSettled, enqueue } = this.parts;
    const settled = has(hash) ? undefined : isSettled?.(hash);
    // It may be imported while the store is asked.
    if ((settled && (await settled)) || has(hash)) return enqueue(look);
    if (patience <= 0) return undefined;
    if (this.count >= capacity) throw serviceError('TooManyWaiting', 'too many wait for blocks');
    return new Promise((resolve, reject) => {
      const forget = (): void => {
        timer.cancel();
        this.remove(hash, waiter);
      };
      const waiter: Waiter = {
        look: () => {
          forget();
          return look().then(resolve, reject);
        },
      };
      const timer = this.parts.clock.after(patience, () => {
        forget();
        resolve(undefined);
      });
      this.add(hash, waiter);
    });
  }

  /**
   * Notifies the callers of an imported block. Called in the task of the import, which ends when every `look` has
   * ended; never rejects.
   */
  async imported(hash: Hash): Promise<void> {
    const waiters = this.waiting.get(hash);
    if (waiters) await Promise.all([...waiters].map(({ look }) => look()));
  }

  private add(hash: Hash, waiter: Waiter): void {
    const waiters = this.waiting.get(hash) ?? new Set();
    waiters.add(waiter);
    this.waiting.set(hash, waiters);
    this.count += 1;
  }

  private remove(hash: Hash, waiter: Waiter): void {
    const waiters = this.waiting.get(hash);
    if (!waiters?.delete(waiter)) return;
    this.count -= 1;
    if (waiters.size === 0) this.waiting.delete(hash);
  }
}
