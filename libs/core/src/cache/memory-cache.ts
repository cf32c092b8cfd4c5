import { type Clock } from '../lifecycle/clock.js';
import { type Cache } from './cache.js';

export interface MemoryCacheSettings {
  /** Bytes of keys and values together; the least recently used go first. */
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
/** What an entry costs beside its bytes, roughly. */
const entryOverhead = 100;

export class MemoryCache implements Cache {
  /** In the order of last use: a Map keeps the order of insertion. */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly settings: MemoryCacheSettings) {}

  async get(key: string): Promise<Uint8Array | undefined> {
    const entry = this.live(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  async set(key: string, value: Uint8Array, timeToLiveMs = Infinity): Promise<void> {
    this.put(key, value, 0, this.settings.clock.monotonic() + timeToLiveMs);
  }

  async delete(key: string): Promise<void> {
    this.remove(key);
  }

  async count(key: string, windowMs: number): Promise<number> {
    const entry = this.live(key);
    const count = (entry?.count ?? 0) + 1;
    this.put(key, noBytes, count, entry?.expiresAt ?? this.settings.clock.monotonic() + windowMs);
    return count;
  }

  async close(): Promise<void> {
    this.entries.clear();
    this.bytes = 0;
  }

  /** Bytes held, as they are counted for the limit. */
  get size(): number {
    return this.bytes;
  }

  private live(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAt > this.settings.clock.monotonic()) return entry;
    this.remove(key);
    return undefined;
  }

  private put(key: string, value: Uint8Array, count: number, expiresAt: number): void {
    this.remove(key);
    const size = key.length * 2 + value.length + entryOverhead;
    if (size > this.settings.maxBytes) return;
    this.entries.set(key, { value, count, size, expiresAt });
    this.bytes += size;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.settings.maxBytes) break;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.bytes -= entry.size;
  }
}
