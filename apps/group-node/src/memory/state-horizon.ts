import { boundSize } from '@shardnode/core/eviction';
import { type BlockDag, isAncestorNode, outDepHash } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { type PruningPlace, stateNotAvailable } from '../store/index.js';

const limit = 4_096;

/**
 * Decides which world states of the group are readable (protocol 04 §9.6): those of the block up to which states are
 * pruned, and of all its descendants. Any other state may lack nodes.
 */
export class StateHorizon {
  private oldest: Hash | undefined;
  /** Descendants of the oldest block, whose children are, too: it may be settled, and each new block is asked for. */
  private readonly readable = new Set<Hash>();

  constructor(
    private readonly dag: BlockDag,
    private stored: PruningPlace | undefined,
    /** See `GroupMemory.loaded`. */
    private readonly loaded: <Result>(run: () => Result) => Promise<Result>,
  ) {
    this.oldest = stored?.blockHash;
  }

  /** The stored place. Undefined: nothing is pruned yet. */
  get place(): PruningPlace | undefined {
    return this.stored;
  }

  /** Called before the deletion of the first node that only states before this block need. Cannot be undone. */
  announce(blockHash: Hash): void {
    this.oldest = blockHash;
    this.readable.clear();
  }

  /** Called after the deletion of the nodes. */
  reached(place: PruningPlace): void {
    this.stored = place;
  }

  /** Throws BlocksMissing. @param blockHash an intra-group block of the group, known to the DAG */
  isReadable(blockHash: Hash): boolean {
    if (this.oldest === undefined || this.readable.has(blockHash)) return true;
    const node = this.dag.node(blockHash);
    const isChild = this.readable.has(outDepHash(node, node.to));
    if (!isChild && !isAncestorNode(this.dag.node(this.oldest), node)) return false;
    this.readable.add(blockHash);
    boundSize(this.readable, limit);
    return true;
  }

  /** Throws ServiceError `StateNotAvailable`, and BlocksMissing. */
  require(blockHash: Hash): void {
    if (!this.isReadable(blockHash)) throw stateNotAvailable(blockHash);
  }

  /**
   * Wraps a long read of a state: when pruning has deleted the state meanwhile, it throws that error, not that of a
   * broken trie. Throws `StateNotAvailable`, and the errors of `read`.
   */
  async reading<Result>(blockHash: Hash, read: () => Promise<Result>): Promise<Result> {
    await this.loaded(() => this.require(blockHash));
    try {
      return await read();
    } catch (error) {
      await this.loaded(() => this.require(blockHash));
      throw error;
    }
  }
}
