import { type Block } from '@shardnode/protocol/block';
import { type Hash } from '@shardnode/protocol/primitives';
import { DataMissing } from './data-missing.js';

/** What a decoded block takes in memory, as a multiple of its bytes. Measured roughly. */
const decodedFactor = 8;

/**
 * Bodies of recent own and incoming blocks, decoded once. Two generations: the older one is dropped whole when the
 * younger one has filled half of the limit.
 */
export class BlockCache {
  private young = new Map<Hash, Block>();
  private old = new Map<Hash, Block>();
  private youngBytes = 0;
  /** Readers that are loading what they need together: nothing may leave meanwhile. */
  private holders = 0;

  constructor(private readonly limitBytes: number) {}

  get(hash: Hash): Block | undefined {
    const recent = this.young.get(hash);
    if (recent) return recent;
    const block = this.old.get(hash);
    if (block) {
      this.old.delete(hash);
      this.keep(block);
    }
    return block;
  }

  /** All blocks in the order asked for; throws DataMissing that names every absent one. */
  need(hashes: readonly Hash[]): Block[] {
    const missing: Hash[] = [];
    const blocks: Block[] = [];
    for (const hash of hashes) {
      const block = this.get(hash);
      if (block) blocks.push(block);
      else missing.push(hash);
    }
    if (missing.length > 0) throw new DataMissing('bodies', missing);
    return blocks;
  }

  add(block: Block): void {
    if (!this.get(block.header.hash)) this.keep(block);
  }

  /** Until the function that it gives is called, nothing is forgotten: a reader may need more than the limit. */
  hold(): () => void {
    this.holders++;
    return () => {
      this.holders--;
      this.makeRoom();
    };
  }

  private keep(block: Block): void {
    this.young.set(block.header.hash, block);
    this.youngBytes += block.raw.length * decodedFactor;
    this.makeRoom();
  }

  private makeRoom(): void {
    if (this.holders > 0 || this.youngBytes * 2 <= this.limitBytes) return;
    this.old = this.young;
    this.young = new Map();
    this.youngBytes = 0;
  }
}
