import { evictOldest, lowWaterMark } from '@shardnode/core/eviction';
import { type Hash } from '@shardnode/protocol/primitives';
import { type FeedBlock } from '../blocks/feed-block.js';
import { bodyOf } from '../blocks/side-body.js';

/** Bytes of bodies in memory. */
const maxBytes = 16 * 1024 * 1024;

/**
 * The bodies of the blocks that were applied last, as a block that is undone stores them (protocol 08 §4.7 step 6). Bytes, not
 * decoded blocks: those take several times the memory, and few are ever needed.
 */
export class RecentBodies {
  private readonly bodies = new Map<Hash, Uint8Array>();
  private bytes = 0;

  get(hash: Hash): Uint8Array | undefined {
    return this.bodies.get(hash);
  }

  add(feedBlock: FeedBlock): void {
    const { hash } = feedBlock.block.header;
    this.delete(hash);
    const body = bodyOf(feedBlock);
    this.bodies.set(hash, body);
    this.bytes += body.length;
    if (this.bytes > maxBytes)
      evictOldest(
        this.bodies,
        () => this.bytes <= lowWaterMark(maxBytes),
        (one) => this.delete(one),
      );
  }

  private delete(hash: Hash): void {
    this.bytes -= this.bodies.get(hash)?.length ?? 0;
    this.bodies.delete(hash);
  }
}
