import { type Hash } from '@shardnode/protocol/primitives';

/** A block to order, with its dependencies. */
export interface OrderedBlock {
  readonly hash: Hash;
  readonly dependencies: readonly Hash[];
  readonly raw: Uint8Array;
}

/** Orders blocks so that each comes after its dependencies, whatever the order of their arrival. */
export class DependencyOrder {
  private readonly released: Set<Hash>;
  /** Waiting blocks, with the number of their dependencies that are not released. */
  private readonly waiting = new Map<Hash, { readonly block: OrderedBlock; missing: number }>();
  private readonly waitingFor = new Map<Hash, Hash[]>();

  /** `given`: blocks that count as released. */
  constructor(given: readonly Hash[]) {
    this.released = new Set(given);
  }

  has(hash: Hash): boolean {
    return this.released.has(hash) || this.waiting.has(hash);
  }

  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Adds a block, and returns the blocks that are released by it, in order. A known block releases nothing. */
  add(block: OrderedBlock): readonly OrderedBlock[] {
    if (this.has(block.hash)) return [];
    const missing = new Set(block.dependencies.filter((hash) => !this.released.has(hash)));
    if (missing.size === 0) return this.release(block);
    this.waiting.set(block.hash, { block, missing: missing.size });
    for (const hash of missing) {
      const children = this.waitingFor.get(hash);
      if (children) children.push(block.hash);
      else this.waitingFor.set(hash, [block.hash]);
    }
    return [];
  }

  /** Dependencies that have not been added. */
  missing(): readonly Hash[] {
    return [...this.waitingFor.keys()].filter((hash) => !this.waiting.has(hash));
  }

  private release(first: OrderedBlock): readonly OrderedBlock[] {
    const ready = [first];
    for (const { hash } of ready) {
      this.released.add(hash);
      for (const child of this.waitingFor.get(hash) ?? []) {
        const entry = this.waiting.get(child)!;
        entry.missing -= 1;
        if (entry.missing > 0) continue;
        this.waiting.delete(child);
        ready.push(entry.block);
      }
      this.waitingFor.delete(hash);
    }
    return ready;
  }
}
