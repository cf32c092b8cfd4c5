import { type Hash } from '@shardnode/protocol/primitives';

/** Buffer entry of a block or header whose dependencies are missing. */
export interface BufferedItem<Item> {
  readonly hash: Hash;
  readonly item: Item;
  /** Milliseconds. */
  readonly arrivedAt: number;
  readonly missing: Set<Hash>;
}

export interface BufferBounds {
  /** Bound of entries; the oldest are evicted first, with their dependents. */
  readonly capacity: number;
  /** Milliseconds; an addition evicts older entries. */
  readonly maximalAge: number;
}

/** protocol 03 §12.4: two times 50 heights for each of the chains, ten minutes. */
export const dependencyBufferBounds = (groups: number): BufferBounds => ({
  capacity: 50 * groups * groups * 2,
  maximalAge: 10 * 60 * 1000,
});

/**
 * Blocks and headers whose dependencies are not stored yet (protocol 03 §12.4). A ready item, with nothing missing,
 * stays here until it is stored or refused: a fault leaves it undecided and allows a retry. The buffer never requests
 * missing items; the puller reads `missingOlderThan`.
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

  /** Adds the item; a hash that is already here is left as it is. `now` in milliseconds. */
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

  /** Adds or replaces the item with its present missing dependencies. */
  replace(hash: Hash, item: Item, missing: readonly Hash[], now: number): void {
    this.remove(hash);
    this.add(hash, item, missing, now);
  }

  /** Removes a stored block or header, and returns the items that have become ready. */
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

  /** Removes an invalid item with all its dependents. Returns the removed hashes. */
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

  /** Items with nothing missing that are still undecided, for a retry. */
  undecided(): readonly BufferedItem<Item>[] {
    return [...this.entries.values()].filter((entry) => entry.missing.size === 0);
  }

  /** Missing dependencies, not in the buffer themselves, for which an item has waited at least `age` milliseconds. */
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
