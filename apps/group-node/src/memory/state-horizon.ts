import { type BlockDag, isAncestorNode } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { type PruningPlace, stateNotAvailable } from '../store/index.js';

/**
 * Which world states of the group can still be read (protocol 04 §9.6): those of the block up to which states were pruned,
 * and of all that descend from it. Any other may lack nodes.
 */
export class StateHorizon {
  private oldest: Hash | undefined;

  constructor(
    private readonly dag: BlockDag,
    private stored: PruningPlace | undefined,
  ) {
    this.oldest = stored?.blockHash;
  }

  /** As the store has it. Undefined: nothing was pruned yet. */
  get place(): PruningPlace | undefined {
    return this.stored;
  }

  /** Before the first node goes that only states before this block need. Cannot be taken back. */
  announce(blockHash: Hash): void {
    this.oldest = blockHash;
  }

  /** The nodes are gone. */
  reached(place: PruningPlace): void {
    this.stored = place;
  }

  /** @param blockHash an intra-group block of the group, known to the DAG */
  isReadable(blockHash: Hash): boolean {
    return this.oldest === undefined || isAncestorNode(this.dag.node(this.oldest), this.dag.node(blockHash));
  }

  /** Throws ServiceError `StateNotAvailable`. */
  require(blockHash: Hash): void {
    if (!this.isReadable(blockHash)) throw stateNotAvailable(blockHash);
  }

  /**
   * Reads of a state that may take long: what pruning took away meanwhile is told as such, and not as a broken trie.
   * Throws as `require`, and what `read` throws.
   */
  async reading<Result>(blockHash: Hash, read: () => Promise<Result>): Promise<Result> {
    this.require(blockHash);
    try {
      return await read();
    } catch (error) {
      this.require(blockHash);
      throw error;
    }
  }
}
