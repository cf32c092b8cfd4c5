import { boundSize } from '@shardnode/core/eviction';
import { type Block } from '@shardnode/protocol/block';
import { type Hash } from '@shardnode/protocol/primitives';
import { transactionId } from '@shardnode/protocol/transaction';
import { type TransactionLocation } from '../store/index.js';

const limit = 200_000;

/** Locations of recently stored transactions (architecture, decision 16), which clients poll most. */
export class RecentLocations {
  private readonly byId = new Map<Hash, readonly TransactionLocation[]>();

  /** A stored block of an own chain. */
  add(block: Block): void {
    for (const [txIndex, { unsigned }] of block.transactions.entries()) {
      const id = transactionId(unsigned);
      const location = { blockHash: block.header.hash, txIndex };
      this.byId.set(id, [...(this.byId.get(id) ?? []), location]);
    }
    boundSize(this.byId, limit);
  }

  /** Locations seen since the start, in order of acceptance. The store may have older ones. */
  get(id: Hash): readonly TransactionLocation[] {
    return this.byId.get(id) ?? none;
  }
}

const none: readonly TransactionLocation[] = [];
