import { chainIndexOfHash, parentHashOf, type SealedHeader } from '../block/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type ChainIndex, flatIndex, type Hash } from '../primitives/index.js';
import { tipPruneDuration } from './block-windows.js';
import { HeaderNode, type NodeIndex, type NodePlace } from './header-node.js';
import { type AddOutcome, byPlace, type DagLimits, type StoredHeader } from './dag-rows.js';
import { BlocksMissing, type ChainHeight, type DagNode, outDepHash, sameBlock, UnknownBlock } from './node.js';
import { PackedHeaders } from './packed-headers.js';
import { type ChainReader } from './readers.js';
import { SettledHeights } from './settled-heights.js';
import { compareByHeight, compareByWeight } from './weight.js';

interface Chain {
  readonly index: ChainIndex;
  /** A height has all its blocks, canonical first, or is not in memory. */
  readonly heights: Map<number, HeaderNode[]>;
  readonly tips: Set<HeaderNode>;
  /** The highest height with a block. */
  top: number;
}

interface Plan {
  readonly node: HeaderNode;
  readonly chain: Chain;
  readonly isCanonical: boolean;
  readonly lists: readonly { readonly height: number; readonly nodes: HeaderNode[] }[];
  readonly removedTips: readonly HeaderNode[];
}

/** Hashes that the store was asked for in vain and that are kept in mind. */
const absentLimit = 4_096;

/**
 * Headers of all chains with heights, weights, tips and canonical lists (protocol 03 §7.3). It has no bodies and does not
 * validate: added headers are valid. One writer; reads are synchronous and always consistent.
 *
 * Of each chain the newest heights are in memory, genesis, and the heights of tips. Deeper blocks are settled: reads throw
 * BlocksMissing, and `load` takes their rows. A chain that is no longer than the window has no settled blocks.
 */
export class BlockDag implements ChainReader, NodeIndex {
  readonly packed = new PackedHeaders();
  private readonly nodes = new Map<Hash, HeaderNode>();
  private readonly chains: Chain[] = [];
  private readonly pruneDuration: bigint;
  private readonly window: number;
  private readonly settled: SettledHeights;
  private readonly absent = new Set<Hash>();
  private prepared: Plan | undefined;

  /** `genesis`: the headers of the G*G genesis blocks in any order. */
  constructor(
    readonly settings: NetworkSettings,
    genesis: readonly SealedHeader[],
    limits: DagLimits = {},
  ) {
    this.pruneDuration = tipPruneDuration(settings);
    this.window = limits.window ?? Number.POSITIVE_INFINITY;
    this.settled = new SettledHeights((height) => this.drop(height), limits.settled);
    const { groups } = settings;
    if (genesis.length !== groups * groups) throw new Error(`expected ${groups * groups} genesis headers`);
    const sorted = [...genesis].sort((a, b) => flatIndex(a.chainIndex, groups) - flatIndex(b.chainIndex, groups));
    const at = (from: number, to: number): Hash => sorted[from * groups + to]!.hash;
    const all = Array.from({ length: groups }, (_, group) => group);
    for (const header of sorted) {
      const { from } = header.chainIndex;
      const ins = all.filter((group) => group !== from).map((group) => at(group, group));
      const deps = [...ins, ...all.map((to) => at(from, to))];
      const node = new HeaderNode(this, header, { chain: header.chainIndex, parent: undefined }, deps);
      this.nodes.set(node.hash, node);
      this.chains.push({ index: node.chainIndex, heights: new Map([[0, [node]]]), tips: new Set([node]), top: 0 });
    }
  }

  /** Whether it is in memory. Never throws. */
  holds(hash: Hash): boolean {
    return this.nodes.has(hash);
  }

  /** Whether the store must be read to know if the block is known. */
  mayBeSettled(hash: Hash): boolean {
    return !this.nodes.has(hash) && !this.absent.has(hash) && this.hasSettled(hash);
  }

  has(hash: Hash): boolean {
    return this.missing([hash]).length === 0;
  }

  missing(hashes: readonly Hash[]): readonly Hash[] {
    const unsure = hashes.filter((hash) => this.mayBeSettled(hash));
    if (unsure.length > 0) throw new BlocksMissing(unsure);
    return hashes.filter((hash) => !this.nodes.has(hash));
  }

  node(hash: Hash): DagNode {
    return this.headerNode(hash);
  }

  nodesOf(hashes: readonly Hash[]): readonly DagNode[] {
    const unsure = hashes.filter((hash) => this.mayBeSettled(hash));
    if (unsure.length > 0) throw new BlocksMissing(unsure);
    return hashes.map((hash) => this.headerNode(hash));
  }

  private headerNode(hash: Hash): HeaderNode {
    const node = this.nodes.get(hash);
    if (node) return node;
    throw this.mayBeSettled(hash) ? new BlocksMissing([hash]) : new UnknownBlock(hash);
  }

  private hasSettled(hash: Hash): boolean {
    return this.lowestOf(this.chain(chainIndexOfHash(hash, this.settings.groups))) > 1;
  }

  lowest(chain: ChainIndex): number {
    return this.lowestOf(this.chain(chain));
  }

  private lowestOf({ top }: Chain): number {
    return Math.max(0, top - this.window + 1);
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
    return this.chain(chain).heights.get(0)![0]!.hash;
  }

  tips(chain: ChainIndex): readonly Hash[] {
    return [...this.chain(chain).tips].map((node) => node.hash);
  }

  tipNodes(chain: ChainIndex): Iterable<DagNode> {
    return this.chain(chain).tips;
  }

  hashesAt(chain: ChainIndex, height: number): readonly Hash[] {
    return this.nodesAt(chain, height).map((node) => node.hash);
  }

  nodesAt(chain: ChainIndex, height: number): readonly DagNode[] {
    return this.listAt(this.chain(chain), height);
  }

  canonicalAt(chain: ChainIndex, height: number): Hash | undefined {
    return this.nodesAt(chain, height)[0]?.hash;
  }

  /** First at its height (protocol 03 §7.4). */
  isCanonical(hash: Hash): boolean {
    const node = this.node(hash);
    return sameBlock(this.nodesAt(node.chainIndex, node.height)[0]!, node);
  }

  /** Height of the tip that is largest in height order (protocol 03 §7.4). */
  maxHeight(chain: ChainIndex): number {
    let max = 0;
    for (const tip of this.chain(chain).tips) max = Math.max(max, tip.height);
    return max;
  }

  /** The tip that is largest in weight order (protocol 03 §7.1). */
  bestTip(chain: ChainIndex): Hash {
    let best: DagNode | undefined;
    for (const tip of this.chain(chain).tips) if (!best || compareByWeight(tip, best) > 0) best = tip;
    return best!.hash;
  }

  /** Height of the heaviest tip (protocol 03 §7.4). */
  currentHeight(chain: ChainIndex): number {
    return this.height(this.bestTip(chain));
  }

  /** Number of blocks in memory, genesis included. */
  get size(): number {
    return this.nodes.size;
  }

  /**
   * The outcome of `add`, without adding: a writer stores the outcome first and then adds. The header must be valid and
   * its dependencies known; otherwise a fault. `weight`: if the caller has it already.
   */
  plan(header: SealedHeader, weight?: bigint): AddOutcome {
    this.prepared = this.planAdd(header, weight);
    return outcomeOf(this.prepared);
  }

  /** Adds a validated header (protocol 03 §7.3 steps 2 to 5). See `plan`. */
  add(header: SealedHeader, weight?: bigint): AddOutcome {
    const plan = this.prepared?.node.hash === header.hash ? this.prepared : this.planAdd(header, weight);
    this.prepared = undefined;
    const { node, chain } = plan;
    this.nodes.set(node.hash, node);
    node.pack(header);
    this.absent.delete(node.hash);
    for (const list of plan.lists) chain.heights.set(list.height, list.nodes);
    chain.tips.add(node);
    for (const tip of plan.removedTips) this.removeTip(chain, tip);
    this.rise(chain, node.height);
    return outcomeOf(plan);
  }

  /**
   * Restores stored blocks without genesis, in any order: all blocks of the heights in the window, and of those that have
   * a tip. `tips` holds the hashes of the tips of all chains; without it they follow from the blocks (every block without
   * a child, old ones dropped as in step 4 of §7.3).
   */
  restore(rows: Iterable<StoredHeader>, tips?: Iterable<Hash>): void {
    const sorted = byPlace(rows);
    for (const { header, height } of sorted) {
      const chain = this.chain(header.chainIndex);
      chain.top = Math.max(chain.top, height);
    }
    const restored = sorted.map((row) => this.restoreNode(row));
    this.restoreTips(tips ?? this.leaves(restored));
    for (const { chainIndex, height } of restored) this.settle(this.chain(chainIndex), height);
    this.settled.makeRoom();
  }

  /**
   * Takes the rows of settled blocks: those that `asked` names, and all others of the heights that have rows. Heights that
   * are in memory already stay as they are. A named height without rows is a fault. Call it while somebody holds what is
   * in memory since before the rows were read.
   */
  load(rows: Iterable<StoredHeader>, asked: BlocksMissing): void {
    const fresh = byPlace(rows).filter(({ header, height }) => {
      const chain = this.chain(header.chainIndex);
      return !chain.heights.has(height) && height < this.lowestOf(chain);
    });
    for (const row of fresh) {
      const node = this.restoreNode(row);
      if (row.heightRank === 0) this.settle(this.chain(node.chainIndex), node.height);
    }
    for (const { chain, height } of asked.heights) {
      if (this.chain(chain).heights.has(height)) continue;
      throw new Error(`the store has no block of chain (${chain.from},${chain.to}) at height ${height}`);
    }
    for (const hash of asked.hashes) if (!this.nodes.has(hash)) this.absent.add(hash);
    for (const hash of this.absent) {
      if (this.absent.size <= absentLimit) break;
      this.absent.delete(hash);
    }
  }

  /**
   * Suspends the eviction of blocks until the returned function is called: blocks that are not stored yet could not be
   * loaded again.
   */
  hold(): () => void {
    return this.settled.hold();
  }

  private restoreNode({ header, weight, height }: StoredHeader): HeaderNode {
    const chain = this.chain(header.chainIndex);
    const parentHash = parentHashOf(header, this.settings.groups);
    const parent = this.nodes.get(parentHash);
    // The parents of settled blocks, and of the lowest ones in the window, may be settled.
    if (!parent && height > this.lowestOf(chain)) throw new UnknownBlock(parentHash);
    if (parent && parent.height + 1 !== height) throw new Error(`block ${header.hash} is stored with height ${height}`);
    const node = this.nodeOf(header, { chain: chain.index, height, weight, parent });
    const list = chain.heights.get(height);
    if (list) list.push(node);
    else chain.heights.set(height, [node]);
    this.nodes.set(node.hash, node);
    node.pack(header);
    return node;
  }

  private nodeOf(header: SealedHeader, place: NodePlace): HeaderNode {
    // The hashes of nodes in memory are shared: seven of each header are most of its bytes.
    const deps = header.blockDeps.map((hash) => this.nodes.get(hash)?.hash ?? hash);
    return new HeaderNode(this, header, place, deps);
  }

  private listAt(chain: Chain, height: number): readonly HeaderNode[] {
    const list = chain.heights.get(height);
    if (list) return list;
    if (height > 0 && height < this.lowestOf(chain)) throw new BlocksMissing([], [{ chain: chain.index, height }]);
    return [];
  }

  /** A block of this height was added: the window of its chain follows. */
  private rise(chain: Chain, height: number): void {
    if (height > chain.top) {
      chain.top = height;
      this.settle(chain, this.lowestOf(chain) - 1);
    }
    this.settled.makeRoom();
  }

  /** The blocks of this height may leave memory, if it is below the window. */
  private settle(chain: Chain, height: number): void {
    if (height > 0 && height < this.lowestOf(chain)) this.settled.add({ chain: chain.index, height });
  }

  /** A height with a tip stays until the tip goes. */
  private drop({ chain: index, height }: ChainHeight): void {
    const chain = this.chain(index);
    const list = chain.heights.get(height);
    if (!list || list.some((node) => chain.tips.has(node))) return;
    chain.heights.delete(height);
    for (const node of list) {
      this.nodes.delete(node.hash);
      node.unlink();
    }
  }

  private removeTip(chain: Chain, tip: HeaderNode): void {
    chain.tips.delete(tip);
    this.settle(chain, tip.height);
  }

  private restoreTips(tips: Iterable<Hash>): void {
    const kept = new Map<Chain, HeaderNode[]>();
    for (const hash of tips) {
      const node = this.headerNode(hash);
      const chain = this.chain(node.chainIndex);
      kept.set(chain, [...(kept.get(chain) ?? []), node]);
    }
    for (const [chain, nodes] of kept) {
      chain.tips.clear();
      for (const node of nodes) chain.tips.add(node);
    }
  }

  private *leaves(nodes: readonly HeaderNode[]): Iterable<Hash> {
    const parents = new Set(nodes.map((node) => outDepHash(node, node.to)));
    const newest = new Map<ChainIndex, bigint>();
    for (const { chainIndex, timestamp } of nodes) {
      if (timestamp > (newest.get(chainIndex) ?? 0n)) newest.set(chainIndex, timestamp);
    }
    for (const node of nodes) {
      const limit = newest.get(node.chainIndex)! - this.pruneDuration;
      if (!parents.has(node.hash) && node.timestamp >= limit) yield node.hash;
    }
  }

  private chain(index: ChainIndex): Chain {
    const chain = this.chains[flatIndex(index, this.settings.groups)];
    if (!chain) throw new RangeError(`no chain (${index.from},${index.to})`);
    return chain;
  }

  private planAdd(header: SealedHeader, weight: bigint | undefined): Plan {
    if (this.nodes.has(header.hash)) throw new Error(`block ${header.hash} is in the block DAG already`);
    const chain = this.chain(header.chainIndex);
    const parent = this.nodesOf(header.blockDeps)[this.settings.groups - 1 + chain.index.to]!;
    const node = this.nodeOf(header, { chain: chain.index, weight, parent });
    const isCanonical = [...chain.tips].every((tip) => compareByHeight(node, tip) > 0);
    const own = this.listAt(chain, node.height);
    const lists = [{ height: node.height, nodes: isCanonical ? [node, ...own] : [...own, node] }];
    if (isCanonical) lists.push(...this.reordered(chain, parent));
    const removedTips = [...chain.tips].filter(
      (tip) => sameBlock(tip, parent) || tip.timestamp + this.pruneDuration < node.timestamp,
    );
    return { node, chain, isCanonical, lists, removedTips };
  }

  /**
   * Step 5 of protocol 03 §7.3: moves the branch to the front of each height, from the parent down, until it is in front
   * already.
   */
  private reordered(chain: Chain, parent: DagNode | undefined): { height: number; nodes: HeaderNode[] }[] {
    const lists: { height: number; nodes: HeaderNode[] }[] = [];
    for (let walk = parent; walk; walk = walk.parent) {
      const { hash, height } = walk;
      const nodes = this.listAt(chain, height);
      const first = nodes.findIndex((node) => node.hash === hash);
      if (first === 0) break;
      lists.push({ height, nodes: [nodes[first]!, ...nodes.slice(0, first), ...nodes.slice(first + 1)] });
    }
    return lists;
  }
}

const outcomeOf = ({ node, isCanonical, lists, removedTips }: Plan): AddOutcome => ({
  chain: node.chainIndex,
  height: node.height,
  weight: node.weight,
  isCanonical,
  lists: lists.map(({ height, nodes }) => ({ height, hashes: nodes.map(({ hash }) => hash) })),
  removedTips: removedTips.map(({ hash }) => hash),
});
