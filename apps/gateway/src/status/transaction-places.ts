import { type Cache } from '@shardnode/core/cache';

/** How long a group is believed to show a block: long enough for a client that polls, short for a group that restarted. */
const shownMs = 10_000;

/**
 * What the gateway remembers so that it asks less (architecture, decision 16). The group of a transaction's inputs is a fact
 * of its bytes, so it is never wrong; that a group shows a block is forgotten soon.
 */
export class TransactionPlaces {
  constructor(private readonly cache: Cache) {}

  remember(txId: string, fromGroup: number): Promise<void> {
    return this.cache.set(`tx:${txId}`, Uint8Array.of(fromGroup));
  }

  async fromGroup(txId: string): Promise<number | undefined> {
    return (await this.cache.get(`tx:${txId}`))?.[0];
  }

  rememberShown(blockHash: string, group: number): Promise<void> {
    return this.cache.set(`shown:${group}:${blockHash}`, Uint8Array.of(1), shownMs);
  }

  async isShown(blockHash: string, group: number): Promise<boolean> {
    return (await this.cache.get(`shown:${group}:${blockHash}`)) !== undefined;
  }
}
