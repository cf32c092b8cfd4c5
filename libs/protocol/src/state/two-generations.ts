/**
 * A bounded map that evicts the least recently used entries, in two generations: when the younger one has filled half
 * of the limit, the older one is evicted as a whole.
 */
export class TwoGenerations<Key, Value> {
  private young = new Map<Key, Value>();
  private old = new Map<Key, Value>();
  private youngBytes = 0;
  private holders = 0;
  /** To be evicted when nobody holds the map. */
  private unwanted: (readonly Key[])[] = [];

  constructor(
    private readonly limitBytes: number,
    /** Approximate memory of an entry. */
    private readonly bytesOf: (value: Value) => number,
  ) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  has(key: Key): boolean {
    return this.young.has(key) || this.old.has(key);
  }

  /** Counts as a use. */
  get(key: Key): Value | undefined {
    const recent = this.young.get(key);
    if (recent !== undefined) return recent;
    const value = this.old.get(key);
    if (value !== undefined) {
      this.old.delete(key);
      this.add(key, value);
    }
    return value;
  }

  add(key: Key, value: Value): void {
    this.young.set(key, value);
    this.youngBytes += this.bytesOf(value);
    this.makeRoom();
  }

  /** Evicts entries that are unlikely to be read again. */
  forget(keys: readonly Key[]): void {
    this.unwanted.push(keys);
    this.makeRoom();
  }

  /** Suspends eviction until the returned function is called: a reader may need more than the limit. */
  hold(): () => void {
    this.holders++;
    return () => {
      this.holders--;
      this.makeRoom();
    };
  }

  private makeRoom(): void {
    if (this.holders > 0) return;
    if (this.unwanted.length > 0) this.dropUnwanted();
    if (this.youngBytes * 2 <= this.limitBytes) return;
    this.old = this.young;
    this.young = new Map();
    this.youngBytes = 0;
  }

  private dropUnwanted(): void {
    for (const keys of this.unwanted) {
      for (const key of keys) {
        const value = this.young.get(key);
        if (value === undefined) this.old.delete(key);
        else {
          this.young.delete(key);
          this.youngBytes -= this.bytesOf(value);
        }
      }
    }
    this.unwanted = [];
  }
}
