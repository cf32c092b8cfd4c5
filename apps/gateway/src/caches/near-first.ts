import { type Cache, type MemoryCache } from '@shardnode/core/cache';

/** Two caches as one: the cache of this process, read first, and the cache that all gateways share, if there is one. */
export class NearFirst {
  constructor(
    private readonly near: MemoryCache,
    private readonly shared: Cache | undefined,
  ) {}

  /** Undefined when neither has it. A value of the shared cache is copied to the near one: for facts only. */
  async fact(key: string): Promise<Uint8Array | undefined> {
    const near = await this.near.get(key);
    if (near || !this.shared) return near;
    const shared = await this.shared.get(key);
    if (shared) await this.near.set(key, shared);
    return shared;
  }

  /** Like `fact`, for entries with a time to live: not copied, because the copy would restart that time. */
  async passing(key: string): Promise<Uint8Array | undefined> {
    return (await this.near.get(key)) ?? this.shared?.get(key);
  }

  /** Does not wait for the shared cache: a cache never rejects, and a reader before the write looks the value up. */
  async remember(key: string, value: Uint8Array, timeToLiveMs?: number): Promise<void> {
    void this.shared?.set(key, value, timeToLiveMs);
    await this.near.set(key, value, timeToLiveMs);
  }
}
