import { type Block } from '@shardnode/protocol/block';
import { type Hash } from '@shardnode/protocol/primitives';

interface Waiting {
  readonly block: Block;
  /** Milliseconds. */
  readonly arrival: bigint;
  readonly missing: Set<Hash>;
}

/** 50 blocks times two for each of 16 chains (protocol 03 §12.4). */
const capacity = 1600;
/** Milliseconds. */
const longestWait = 600_000n;

/** Blocks whose dependencies are not all stored yet (protocol 03 §12.4). */
export class DependencyBuffer {
  private readonly waiting = new Map<Hash, Waiting>();
  private readonly children = new Map<Hash, Set<Hash>>();

  get size(): number {
    return this.waiting.size;
  }

  has(hash: Hash): boolean {
    return this.waiting.has(hash);
  }

  /** Stores a block until `missing` is empty. Evicts old entries. */
  put(block: Block, missing: readonly Hash[], now: bigint): void {
    for (const [hash, { arrival }] of this.waiting) {
      const isTooOld = arrival + longestWait < now;
      if (!isTooOld && this.waiting.size < capacity) break;
      this.drop(hash);
    }
    const { hash } = block.header;
    this.waiting.set(hash, { block, arrival: now, missing: new Set(missing) });
    for (const dep of missing) this.children.set(dep, (this.children.get(dep) ?? new Set()).add(hash));
  }

  /** Called when a block has been stored: returns the blocks without other missing dependencies. */
  release(stored: Hash): Block[] {
    const ready: Block[] = [];
    for (const child of this.children.get(stored) ?? []) {
      const entry = this.waiting.get(child);
      if (!entry?.missing.delete(stored) || entry.missing.size > 0) continue;
      this.waiting.delete(child);
      ready.push(entry.block);
    }
    this.children.delete(stored);
    return ready;
  }

  /** Removes a block and all that wait for it. */
  drop(hash: Hash): void {
    const entry = this.waiting.get(hash);
    this.waiting.delete(hash);
    for (const dep of entry?.missing ?? []) {
      const siblings = this.children.get(dep);
      siblings?.delete(hash);
      if (siblings?.size === 0) this.children.delete(dep);
    }
    const descendants = this.children.get(hash) ?? [];
    this.children.delete(hash);
    for (const child of descendants) this.drop(child);
  }
}
