import { TrieFault } from './trie/trie-fault.js';

/** A key with its value, or (undefined) removed. */
export interface OverlayEntry<Key, Value> {
  readonly key: Key;
  readonly value: Value | undefined;
}

/** Changes over a base that stays unchanged (protocol 04 §7). Absence in the base is looked up, never cached. */
export class Overlay<Key, Value> {
  private readonly changed = new Map<string, OverlayEntry<Key, Value>>();

  constructor(
    private readonly idOf: (key: Key) => string,
    private readonly isBelow: (key: Key) => boolean,
  ) {}

  /** The entry that was stored or removed here; undefined: see the base. */
  own(key: Key): OverlayEntry<Key, Value> | undefined {
    return this.changed.get(this.idOf(key));
  }

  put(key: Key, value: Value): void {
    this.changed.set(this.idOf(key), { key, value });
  }

  /**
   * An entry inserted here and removed again leaves no change. Throws TrieFault(KeyNotFound) when the key is absent.
   */
  remove(key: Key): void {
    const id = this.idOf(key);
    const own = this.changed.get(id);
    const isBelow = this.isBelow(key);
    if (own ? own.value === undefined : !isBelow) throw new TrieFault('KeyNotFound', `${id} is removed and not there`);
    if (isBelow) this.changed.set(id, { key, value: undefined });
    else this.changed.delete(id);
  }

  /** Replays all changes over another overlay. */
  keepIn(other: Overlay<Key, Value>): void {
    for (const { key, value } of this.changed.values()) {
      if (value === undefined) other.remove(key);
      else other.put(key, value);
    }
  }

  /** In ascending order of the ids. */
  entries(): (readonly [string, OverlayEntry<Key, Value>])[] {
    return [...this.changed].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
