import { type Hash } from '@shardnode/protocol/primitives';

/** What is kept of a block or header that cannot be imported yet. */
export interface BufferedItem<Item> {
  readonly hash: Hash;
  readonly item: Item;
  /** Milliseconds. */
  readonly arrivedAt: number;
  readonly missing: Set<Hash>;
}

export interface BufferBounds {
  /** Entries; the oldest leave first, with those that wait for them. */
  readonly capacity: number;
  /** Milliseconds; older entries leave when a new one is put in. */
  readonly maximalAge: number;
}

/** protocol 03 §12.4: two times 50 heights for each of the chains, ten minutes. */
export const dependencyBufferBounds = (groups: number): BufferBounds => ({
  capacity: 50 * groups * groups * 2,
  maximalAge: 10 * 60 * 1000,
});

/**
 * Blocks and headers whose dependencies are not stored yet (protocol 03 §12.4). An item that became ready stays here,
 * with nothing missing, until it is stored or refused: a fault leaves it undecided and it can be tried again.
 * The buffer never asks anyone for what is missing; `missingOlderThan` tells the puller.
 */
export class DependencyBuffer<Item> {
  /** In order of arrival. */
  private readonly entries = new Map<Hash, BufferedItem<Item>>();
  private readonly waiting = new Map<Hash, Set<Hash>>();

  constructor(private readonly bounds: BufferBounds) {}

  get size(): number {
    return this.entries.size;
  }

  get(hash: Hash): BufferedItem<Item> | undefined {
    return this.entries.get(hash);
  }

  hashes(): Iterable<Hash> {
    return this.entries.keys();
  }

  /** Keeps the item; a hash that is already here is left as it is. `now` in milliseconds. */
  add(hash: Hash, item: Item, missing: readonly Hash[], now: number): void {
    if (this.entries.has(hash)) return;
    this.makeRoom(now);
    this.entries.set(hash, { hash, item, arrivedAt: now, missing: new Set(missing) });
    for (const dependency of missing) {
      const children = this.waiting.get(dependency) ?? new Set();
      children.add(hash);
      this.waiting.set(dependency, children);
    }
  }

  /** Keeps the item with what it misses now, whether or not it is here already. */
  replace(hash: Hash, item: Item, missing: readonly Hash[], now: number): void {
    this.remove(hash);
    this.add(hash, item, missing, now);
  }

  /** The block or header is stored: it leaves, and the items that waited for nothing else are given back as ready. */
  stored(hash: Hash): readonly BufferedItem<Item>[] {
    this.remove(hash);
    const children = this.waiting.get(hash);
    if (!children) return [];
    this.waiting.delete(hash);
    const ready: BufferedItem<Item>[] = [];
    for (const child of children) {
      const entry = this.entries.get(child);
      if (!entry) continue;
      entry.missing.delete(hash);
      if (entry.missing.size === 0) ready.push(entry);
    }
    return ready;
  }

  /** The item is invalid: it leaves with everything that waits for it. Gives the hashes that left. */
  refused(hash: Hash): readonly Hash[] {
    const left: Hash[] = [];
    const pending = [hash];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (this.remove(next)) left.push(next);
      pending.push(...(this.waiting.get(next) ?? []));
      this.waiting.delete(next);
    }
    return left;
  }

  /** Items with nothing missing that are still undecided, for another try. */
  undecided(): readonly BufferedItem<Item>[] {
    return [...this.entries.values()].filter((entry) => entry.missing.size === 0);
  }

  /** Dependencies for which something has waited at least `age` milliseconds, and that are not here themselves. */
  missingOlderThan(age: number, now: number): readonly Hash[] {
    const missing = new Set<Hash>();
    for (const entry of this.entries.values()) {
      if (now - entry.arrivedAt < age) continue;
      for (const hash of entry.missing) if (!this.entries.has(hash)) missing.add(hash);
    }
    return [...missing];
  }

  clear(): void {
    this.entries.clear();
    this.waiting.clear();
  }

  private makeRoom(now: number): void {
    for (const entry of this.entries.values()) {
      const tooOld = now - entry.arrivedAt > this.bounds.maximalAge;
      if (!tooOld && this.entries.size < this.bounds.capacity) return;
      this.refused(entry.hash);
    }
  }

  private remove(hash: Hash): boolean {
    const entry = this.entries.get(hash);
    if (!entry) return false;
    this.entries.delete(hash);
    for (const dependency of entry.missing) {
      const children = this.waiting.get(dependency);
      children?.delete(hash);
      if (children?.size === 0) this.waiting.delete(dependency);
    }
    return true;
  }
}
