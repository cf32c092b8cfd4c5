interface Entries<Key> {
  readonly size: number;
  keys(): IterableIterator<Key>;
  delete(key: Key): boolean;
}

/** What is left of a limit when there is no room for more. */
export const lowWaterMark = (limit: number): number => limit - Math.floor(limit / 16);

/**
 * Deletes entries of a Map or Set, those that came first, until there is room. `isRoom` should ask for more room than for one:
 * the first key is found by stepping over the places of all that were deleted before it, some ten thousands of them in a large
 * one, and who deletes one for each that comes pays for that every time.
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

/** Bounds a Map or Set by its size: over the limit it forgets those that came first, a sixteenth of them at once. */
export const boundSize = <Key>(entries: Entries<Key>, limit: number): void => {
  if (entries.size > limit) evictOldest(entries, () => entries.size <= lowWaterMark(limit));
};
