/**
 * A bounded map: what nobody asked for longest is forgotten. Two generations, the older one is dropped whole when the
 * younger one has filled half of the limit.
 */
export class TwoGenerations<Key, Value> {
  private young = new Map<Key, Value>();
  private old = new Map<Key, Value>();
  private youngBytes = 0;
  private holders = 0;
  /** To be forgotten when nobody holds. */
  private unwanted: (readonly Key[])[] = [];

  constructor(
    private readonly limitBytes: number,
    /** About how much memory an entry takes. */
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

  /** Nobody is likely to ask for these again: they make room for others. */
  forget(keys: readonly Key[]): void {
    this.unwanted.push(keys);
    this.makeRoom();
  }

  /** Until the function that it gives is called, nothing is forgotten: a reader may need more than the limit. */
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
