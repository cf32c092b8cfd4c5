import { type SealedHeader } from '@shardnode/protocol/block';
import {
  type AddOutcome,
  type BlockDag,
  type ChainReader,
  compareByWeight,
  type DagNode,
  sameBlock,
  UnknownBlock,
} from '@shardnode/protocol/dag';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type ChainIndex, flatIndex, type Hash } from '@shardnode/protocol/primitives';

/**
 * The block DAG as of the last commit: the part that queries may see. The writer works ahead of it on the same
 * BlockDag, so that a block can build on headers that are stored in the same transaction. The writer calls `freeze`
 * before each step ahead, and `catchUp` when every addition is durable.
 */
export class PublishedChain implements ChainReader {
  private readonly ahead = new Set<Hash>();
  private readonly tipsBefore = new Map<number, readonly DagNode[]>();
  private readonly listsBefore = new Map<string, readonly DagNode[]>();

  constructor(
    private readonly dag: BlockDag,
    private readonly settings: NetworkSettings,
  ) {}

  /** Saves the values that the addition is going to change. Call it before `BlockDag.add`. */
  freeze(hash: Hash, outcome: AddOutcome): void {
    this.ahead.add(hash);
    const chain = this.flat(outcome.chain);
    if (!this.tipsBefore.has(chain)) this.tipsBefore.set(chain, [...this.dag.tipNodes(outcome.chain)]);
    for (const { height } of outcome.lists) {
      const key = `${chain}:${height}`;
      if (!this.listsBefore.has(key)) this.listsBefore.set(key, this.dag.nodesAt(outcome.chain, height));
    }
  }

  /** Makes every addition visible. */
  catchUp(): void {
    this.ahead.clear();
    this.tipsBefore.clear();
    this.listsBefore.clear();
  }

  /** Whether it is in memory. Never throws. */
  holds(hash: Hash): boolean {
    return this.dag.holds(hash) && !this.ahead.has(hash);
  }

  has(hash: Hash): boolean {
    return this.missing([hash]).length === 0;
  }

  missing(hashes: readonly Hash[]): readonly Hash[] {
    const missing = new Set(this.dag.missing(hashes.filter((hash) => !this.ahead.has(hash))));
    return hashes.filter((hash) => missing.has(hash) || this.ahead.has(hash));
  }

  lowest(chain: ChainIndex): number {
    return this.dag.lowest(chain);
  }

  node(hash: Hash): DagNode {
    if (this.ahead.has(hash)) throw new UnknownBlock(hash);
    return this.dag.node(hash);
  }

  header(hash: Hash): SealedHeader {
    return this.node(hash).header;
  }

  height(hash: Hash): number {
    return this.node(hash).height;
  }

  weight(hash: Hash): bigint {
    return this.node(hash).weight;
  }

  genesis(chain: ChainIndex): Hash {
    return this.dag.genesis(chain);
  }

  tips(chain: ChainIndex): readonly Hash[] {
    return [...this.tipNodes(chain)].map((node) => node.hash);
  }

  tipNodes(chain: ChainIndex): Iterable<DagNode> {
    return this.tipsBefore.get(this.flat(chain)) ?? this.dag.tipNodes(chain);
  }

  hashesAt(chain: ChainIndex, height: number): readonly Hash[] {
    return this.nodesAt(chain, height).map((node) => node.hash);
  }

  nodesAt(chain: ChainIndex, height: number): readonly DagNode[] {
    if (this.listsBefore.size === 0) return this.dag.nodesAt(chain, height);
    return this.listsBefore.get(`${this.flat(chain)}:${height}`) ?? this.dag.nodesAt(chain, height);
  }

  isCanonical(hash: Hash): boolean {
    const node = this.node(hash);
    return sameBlock(this.nodesAt(node.chainIndex, node.height)[0]!, node);
  }

  maxHeight(chain: ChainIndex): number {
    let max = 0;
    for (const tip of this.tipNodes(chain)) max = Math.max(max, tip.height);
    return max;
  }

  /** Height of the heaviest tip (protocol 03 §7.4). */
  currentHeight(chain: ChainIndex): number {
    let best: DagNode | undefined;
    for (const tip of this.tipNodes(chain)) if (!best || compareByWeight(tip, best) > 0) best = tip;
    return best?.height ?? 0;
  }

  private flat(chain: ChainIndex): number {
    return flatIndex(chain, this.settings.groups);
  }
}
