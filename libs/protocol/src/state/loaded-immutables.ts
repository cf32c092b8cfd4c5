import { type Hash } from '../primitives/index.js';
import {
  decodeImmutable,
  type ImmutableEntriesInMemory,
  type ImmutableEntry,
  type ImmutableEntryStore,
} from './immutable-entries.js';
import { TrieFault } from './trie/trie-fault.js';
import { TwoGenerations } from './two-generations.js';

/** Approximate memory of a decoded entry: a multiple of its bytes plus a constant. */
const memoryOf = (bytes: number): number => 32 * bytes + 500;

/** Entries of the immutable store in memory, each decoded once. Bounded like `LoadedNodes`. */
export class LoadedImmutables implements ImmutableEntriesInMemory {
  private readonly entries: TwoGenerations<Hash, { readonly entry: ImmutableEntry; readonly bytes: number }>;

  /** @param limitBytes approximate memory limit of the entries; default: no eviction */
  constructor(limitBytes = Number.POSITIVE_INFINITY) {
    this.entries = new TwoGenerations(limitBytes, ({ bytes }) => memoryOf(bytes));
  }

  get size(): number {
    return this.entries.size;
  }

  has(hash: Hash): boolean {
    return this.entries.has(hash);
  }

  entry(hash: Hash): ImmutableEntry | undefined {
    return this.entries.get(hash)?.entry;
  }

  /** Adds tagged values. Throws TrieFault(DecodingError) for malformed bytes. */
  add(values: Iterable<readonly [Hash, Uint8Array]>): void {
    for (const [hash, value] of values) {
      if (!this.entries.has(hash)) this.entries.add(hash, { entry: decodeImmutable(value), bytes: value.length });
    }
  }

  /** Suspends eviction until the returned function is called. */
  hold(): () => void {
    return this.entries.hold();
  }
}

/** Loads entries in one round trip. Throws TrieFault(KeyNotFound) when the store lacks one (protocol 04 §2.9). */
export const loadMissingImmutables = async (
  store: ImmutableEntryStore,
  entries: LoadedImmutables,
  hashes: Iterable<Hash>,
): Promise<void> => {
  const wanted = [...new Set(hashes)].filter((hash) => !entries.has(hash));
  if (wanted.length === 0) return;
  const found = await store.loadImmutables(wanted);
  const absent = wanted.find((hash) => !found.has(hash));
  if (absent !== undefined) throw new TrieFault('KeyNotFound', `the store has no immutable entry ${absent}`);
  entries.add(found);
};
