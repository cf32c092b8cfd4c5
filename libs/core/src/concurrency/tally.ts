/** Counts by key, and their total, in any unit. A key whose count is back at zero takes no memory. */
export class Tally<Key = string> {
  private readonly counts = new Map<Key, number>();
  private sum = 0;

  /** The counts of all keys together. */
  get total(): number {
    return this.sum;
  }

  /** The count of a key; 0 for an unknown one. */
  of(key: Key): number {
    return this.counts.get(key) ?? 0;
  }

  /** Returns the new count of the key. */
  add(key: Key, amount = 1): number {
    return this.change(key, amount);
  }

  /** Takes off no more than was added. Returns the new count of the key. */
  subtract(key: Key, amount = 1): number {
    return this.change(key, -amount);
  }

  private change(key: Key, amount: number): number {
    const count = this.of(key) + amount;
    if (count > 0) this.counts.set(key, count);
    else this.counts.delete(key);
    this.sum += amount;
    return count;
  }
}
