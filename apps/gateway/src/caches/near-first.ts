import { type Cache, type MemoryCache } from '@shardnode/core/cache';

/** Two caches as one: that of this process, asked first, and one that all gateways share, if there is one. */
export class NearFirst {
  constructor(
    private readonly near: MemoryCache,
    private readonly shared: Cache | undefined,
  ) {}

  /** Undefined when neither has it. What only the other has is then near too, for as long as it fits: facts alone. */
  async fact(key: string): Promise<Uint8Array | undefined> {
    const near = await this.near.get(key);
    if (near || !this.shared) return near;
    const shared = await this.shared.get(key);
    if (shared) await this.near.set(key, shared);
    return shared;
  }

  /** Like `fact`, for what is forgotten after a time: it is not copied, which would begin its time anew. */
  async passing(key: string): Promise<Uint8Array | undefined> {
    return (await this.near.get(key)) ?? this.shared?.get(key);
  }

  /** Nobody waits for the shared one: a cache never rejects, and who asks before it has the value looks it up. */
  async remember(key: string, value: Uint8Array, timeToLiveMs?: number): Promise<void> {
    void this.shared?.set(key, value, timeToLiveMs);
    await this.near.set(key, value, timeToLiveMs);
  }
}
