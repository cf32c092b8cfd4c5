import { type ChainHeight } from './node.js';

/** Heights below the window that stay in memory: 32 pages of the store, some 2 MB. */
const usualLimit = 2_048;

/** Settled heights in memory: the first in is evicted first, unless somebody holds them. */
export class SettledHeights {
  private queue: ChainHeight[] = [];
  private holders = 0;

  constructor(
    /** Drops the blocks of a height, unless it must stay. */
    private readonly drop: (height: ChainHeight) => void,
    private readonly limit = usualLimit,
  ) {}

  add(height: ChainHeight): void {
    this.queue.push(height);
  }

  /** Suspends eviction until the returned function is called. */
  hold(): () => void {
    this.holders++;
    return () => {
      this.holders--;
      this.makeRoom();
    };
  }

  makeRoom(): void {
    const excess = this.queue.length - this.limit;
    if (this.holders > 0 || excess <= 0) return;
    for (const height of this.queue.splice(0, excess)) this.drop(height);
  }
}
