/**
 * Bytes that can be lost at any time: port with two adapters, in memory here, Redis later. It never throws: a cache that
 * does not answer is a miss. A cache is never guessed right (architecture, decision 16): put in what cannot change.
 */
export interface Cache {
  get(key: string): Promise<Uint8Array | undefined>;
  /** `timeToLiveMs` absent: until it is crowded out. */
  set(key: string, value: Uint8Array, timeToLiveMs?: number): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Adds 1 to a counter that starts at 0 and vanishes `windowMs` after its first count: for limits of rate. Undefined when the
   * cache does not answer.
   */
  count(key: string, windowMs: number): Promise<number | undefined>;
  close(): Promise<void>;
}
