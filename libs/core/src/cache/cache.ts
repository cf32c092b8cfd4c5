/**
 * What happens in a cache, for metrics. Reasons of failures: `away` (no connection, or it broke), `timeout`, `paused` (not
 * asked, because it was slow or failed just before), `refused` (the server answered with an error).
 */
export interface CacheObserver {
  read(outcome: CacheReadOutcome): void;
  failed(reason: CacheFailure): void;
  /** Whether it can be reached; told at once and at each change. */
  reachable(isReachable: boolean): void;
}

export type CacheReadOutcome = 'hit' | 'miss' | 'wrong-bytes';
export type CacheFailure = 'away' | 'timeout' | 'paused' | 'refused';

/**
 * Bytes that can be lost at any time: port with two adapters, in memory and Redis. It never throws: a cache that does not
 * answer is a miss. A cache is never guessed right (architecture, decision 16): put in what cannot change. Values and
 * counters do not meet: a key may name one of each.
 */
export interface Cache {
  /** The bytes that were put under this key, or undefined: never others. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** `timeToLiveMs` absent: until it is crowded out. */
  set(key: string, value: Uint8Array, timeToLiveMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Adds `by`, a whole number of at least 1 (the default), to a counter that starts at 0 and vanishes `windowMs` after its first
   * count: for limits of rate. Undefined when the cache does not answer.
   */
  count(key: string, windowMs: number, by?: number): Promise<number | undefined>;
  /** From now on `observer` is told what happens, beside those that are told already, until the given function is called. */
  observe(observer: CacheObserver): () => void;
  close(): Promise<void>;
}
