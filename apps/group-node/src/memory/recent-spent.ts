import { evictOldest, lowWaterMark } from '@shardnode/core/eviction';
import { type Block } from '@shardnode/protocol/block';
import { spentReferences, type SpentReader } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';

const none: ReadonlySet<string> = new Set();

/** Bounds of references in memory, about 150 bytes each, and of blocks. The first in is evicted first. */
const limits = { references: 200_000, blocks: 50_000 };

/**
 * Outputs that recent own blocks spend (protocol 03 §6.3), bounded. The rules name an evicted block, and the caller
 * loads it.
 */
export class RecentSpent implements SpentReader {
  private readonly byBlock = new Map<Hash, ReadonlySet<string>>();
  private references = 0;
  private holders = 0;

  add(block: Block): void {
    if (this.byBlock.has(block.header.hash)) return;
    const spent = spentReferences(block.transactions);
    this.byBlock.set(block.header.hash, spent.size === 0 ? none : spent);
    this.references += spent.size;
    this.makeRoom();
  }

  /** Suspends eviction until the returned function is called. */
  hold(): () => void {
    this.holders++;
    return () => {
      this.holders--;
      this.makeRoom();
    };
  }

  spentBy(blockHash: Hash): ReadonlySet<string> | undefined {
    return this.byBlock.get(blockHash);
  }

  /** Recent blocks that spend the reference, newest last. Walks all of them: for explanations only. */
  spendersOf(referenceId: string): readonly Hash[] {
    return [...this.byBlock].flatMap(([hash, spent]) => (spent.has(referenceId) ? [hash] : []));
  }

  private makeRoom(): void {
    if (this.holders > 0) return;
    if (this.references <= limits.references && this.byBlock.size <= limits.blocks) return;
    const isRoom = (): boolean =>
      this.references <= lowWaterMark(limits.references) && this.byBlock.size <= lowWaterMark(limits.blocks);
    evictOldest(this.byBlock, isRoom, (hash) => this.forget(hash));
  }

  private forget(hash: Hash): void {
    this.references -= this.byBlock.get(hash)!.size;
    this.byBlock.delete(hash);
  }
}
