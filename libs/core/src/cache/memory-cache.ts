import { type Clock } from '../lifecycle/clock.js';
import { type Cache, type CacheObserver } from './cache.js';
import { CacheObservers } from './cache-observers.js';
import { evictOldest, lowWaterMark } from '../eviction/index.js';

export interface MemoryCacheSettings {
  /** Limit on bytes of keys and values together; the least recently used entry is evicted first. */
  readonly maxBytes: number;
  readonly clock: Clock;
}

interface Entry {
  readonly value: Uint8Array;
  readonly count: number;
  readonly size: number;
  /** On the monotonic clock. */
  readonly expiresAt: number;
}

const noBytes = new Uint8Array(0);
/** Approximate overhead of an entry in bytes. */
const entryOverhead = 100;

/** Separates the value of a key from its counter. */
const valueName = (key: string): string => `v${key}`;
const counterName = (key: string): string => `c${key}`;

export class MemoryCache implements Cache {
  /** In the order of last use: a Map iterates in the order of insertion. */
  private readonly entries = new Map<string, Entry>();
  private readonly observers = new CacheObservers(true);
  private bytes = 0;

  constructor(private readonly settings: MemoryCacheSettings) {}

  async get(key: string): Promise<Uint8Array | undefined> {
    const name = valueName(key);
    const entry = this.live(name);
    this.observers.read(entry ? 'hit' : 'miss');
    if (!entry) return undefined;
    this.entries.delete(name);
    this.entries.set(name, entry);
    return entry.value;
  }

  async set(key: string, value: Uint8Array, timeToLiveMs = Infinity): Promise<void> {
    this.put(valueName(key), value, 0, this.settings.clock.monotonic() + timeToLiveMs);
  }

  async delete(key: string): Promise<void> {
    this.remove(valueName(key));
  }

  async count(key: string, windowMs: number, by = 1): Promise<number> {
    const name = counterName(key);
    const entry = this.live(name);
    const count = (entry?.count ?? 0) + by;
    this.put(name, noBytes, count, entry?.expiresAt ?? this.settings.clock.monotonic() + windowMs);
    return count;
  }

  observe(observer: CacheObserver): () => void {
    return this.observers.add(observer);
  }

  async close(): Promise<void> {
    this.entries.clear();
    this.bytes = 0;
  }

  /** Bytes held, as counted for the limit. */
  get size(): number {
    return this.bytes;
  }

  private live(name: string): Entry | undefined {
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    if (entry.expiresAt === Infinity || entry.expiresAt > this.settings.clock.monotonic()) return entry;
    this.remove(name);
    return undefined;
  }

  private put(name: string, value: Uint8Array, count: number, expiresAt: number): void {
    this.remove(name);
    const size = name.length * 2 + value.length + entryOverhead;
    if (size > this.settings.maxBytes) return;
    this.entries.set(name, { value, count, size, expiresAt });
    this.bytes += size;
    if (this.bytes > this.settings.maxBytes) this.makeRoom();
  }

  private makeRoom(): void {
    const kept = lowWaterMark(this.settings.maxBytes);
    evictOldest(
      this.entries,
      () => this.bytes <= kept,
      (oldest) => this.remove(oldest),
    );
  }

  private remove(name: string): void {
    const entry = this.entries.get(name);
    if (!entry) return;
    this.entries.delete(name);
    this.bytes -= entry.size;
  }
}
