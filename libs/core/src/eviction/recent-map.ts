/**
 * A bounded map of the most recently used values, in two generations. When the younger one reaches half of the limit,
 * the older one is evicted as a whole. Reads have no extra cost.
 */
export class RecentMap<Key, Value> {
  private young = new Map<Key, Value>();
  private old = new Map<Key, Value>();

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  /** All of them, the first to go before the others. */
  *values(): Iterable<Value> {
    yield* this.old.values();
    yield* this.young.values();
  }

  get(key: Key): Value | undefined {
    const recent = this.young.get(key);
    if (recent !== undefined) return recent;
    const value = this.old.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.old.delete(key);
    this.young.set(key, value);
    if (this.young.size * 2 < this.limit) return;
    this.old = this.young;
    this.young = new Map();
  }

  delete(key: Key): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  clear(): void {
    if (this.young.size > 0) this.young.clear();
    if (this.old.size > 0) this.old.clear();
  }
}
