interface Entries<Key> {
  readonly size: number;
  keys(): IterableIterator<Key>;
  delete(key: Key): boolean;
}

/** Size to which an eviction shrinks a full collection. */
export const lowWaterMark = (limit: number): number => limit - Math.floor(limit / 16);

/**
 * Evicts the oldest entries of a Map or Set until `isRoom`. `isRoom` should require room for more than one entry: a Map
 * finds its first key by skipping the slots of deleted entries, tens of thousands in a large one. One eviction per
 * insertion pays that cost each time.
 */
export const evictOldest = <Key>(
  entries: Entries<Key>,
  isRoom: () => boolean,
  forget: (key: Key) => void = (key) => void entries.delete(key),
): void => {
  for (const oldest of entries.keys()) {
    if (isRoom()) return;
    forget(oldest);
  }
};

/** Bounds the size of a Map or Set: over the limit it evicts the oldest entries, a sixteenth of them at once. */
export const boundSize = <Key>(entries: Entries<Key>, limit: number): void => {
  if (entries.size > limit) evictOldest(entries, () => entries.size <= lowWaterMark(limit));
};
