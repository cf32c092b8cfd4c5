import { type Block } from '@shardnode/protocol/block';
import { type Hash } from '@shardnode/protocol/primitives';
import { TwoGenerations } from '@shardnode/protocol/state';
import { DataMissing } from './data-missing.js';

/** Memory of a decoded block, as a multiple of its bytes. Measured roughly. */
const decodedFactor = 8;

/** Cache of decoded recent own and incoming blocks. The least recently used are evicted first. */
export class BlockCache {
  private readonly blocks: TwoGenerations<Hash, Block>;

  constructor(limitBytes: number) {
    this.blocks = new TwoGenerations(limitBytes, ({ raw }) => raw.length * decodedFactor);
  }

  get(hash: Hash): Block | undefined {
    return this.blocks.get(hash);
  }

  /** All blocks in the requested order; throws DataMissing that names every absent one. */
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
    if (!this.get(block.header.hash)) this.blocks.add(block.header.hash, block);
  }

  /** Suspends eviction until the returned function is called: a reader may need more than the limit. */
  hold(): () => void {
    return this.blocks.hold();
  }
}
