import { boundSize } from '@shardnode/core/eviction';
import { type Hash } from '@shardnode/protocol/primitives';

/** Ids of recent transactions; the first in is evicted first. */
export class RecentIds {
  private readonly ids = new Set<Hash>();

  constructor(private readonly limit: number) {}

  add(id: Hash): void {
    this.ids.add(id);
    boundSize(this.ids, this.limit);
  }

  has(id: Hash): boolean {
    return this.ids.has(id);
  }
}
