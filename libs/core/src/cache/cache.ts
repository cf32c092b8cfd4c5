/**
 * Events of a cache, for metrics. Reasons of failures: `away` (no connection, or it broke), `timeout`, `paused` (not
 * sent, because the circuit is open), `refused` (the server returned an error).
 */
export interface CacheObserver {
  read(outcome: CacheReadOutcome): void;
  failed(reason: CacheFailure): void;
  /** Whether the cache is reachable; called at once and at each change. */
  reachable(isReachable: boolean): void;
}

export type CacheReadOutcome = 'hit' | 'miss' | 'wrong-bytes';
export type CacheFailure = 'away' | 'timeout' | 'paused' | 'refused';

/**
 * Bytes that can be lost at any time. A port with two adapters: in memory and Redis. Never throws: a cache that does
 * not answer is a miss. Entries are never invalidated (architecture, decision 16): store only immutable data. Values
 * and counters have separate keys: a key may name one of each.
 */
export interface Cache {
  /** The bytes stored under this key, or undefined; never other bytes. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** `timeToLiveMs` absent: until eviction. */
  set(key: string, value: Uint8Array, timeToLiveMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Adds `by`, a whole number of at least 1 (the default), to a counter. The counter starts at 0 and expires `windowMs`
   * after its first count. For rate limits. Undefined when the cache does not answer.
   */
  count(key: string, windowMs: number, by?: number): Promise<number | undefined>;
  /** Adds an observer. The returned function removes it. */
  observe(observer: CacheObserver): () => void;
  close(): Promise<void>;
}
