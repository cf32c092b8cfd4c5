import { parentHashOf, type SealedHeader } from '../block/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type ChainIndex, flatIndex, type Hash } from '../primitives/index.js';
import { tipPruneDuration } from './block-windows.js';
import { HeaderNode, PackedHeaders } from './header-node.js';
import { type DagNode, UnknownBlock } from './node.js';
import { type ChainReader } from './readers.js';
import { compareByHeight, compareByWeight } from './weight.js';

/** The hashes of one height after a change, canonical first. */
interface HeightList {
  readonly height: number;
  readonly hashes: readonly Hash[];
}

/** Effect of adding a block to its chain (protocol 03 §7.3). */
export interface AddOutcome {
  readonly chain: ChainIndex;
  readonly height: number;
  readonly weight: bigint;
  /** Whether the block is first at its height. */
  readonly isCanonical: boolean;
  /** Every height whose list changes: the block's own first, then lower ones that a reorganisation changes. */
  readonly lists: readonly HeightList[];
  /** Former tips: the parent, and those too old. */
  readonly removedTips: readonly Hash[];
}

/** A stored block, to be restored at start. */
export interface StoredHeader {
  readonly header: SealedHeader;
  readonly weight: bigint;
  readonly height: number;
  /** Position in the list of its height, 0: canonical. */
  readonly heightRank: number;
}

interface Chain {
  readonly index: ChainIndex;
  readonly heights: HeaderNode[][];
  readonly tips: Set<HeaderNode>;
}

interface Plan {
  readonly node: HeaderNode;
  readonly chain: Chain;
  readonly isCanonical: boolean;
  readonly lists: readonly { readonly height: number; readonly nodes: HeaderNode[] }[];
  readonly removedTips: readonly HeaderNode[];
}

/** Headers retained as objects: those that are read most. */
const recentHeaders = 2048;

/**
 * Headers of all chains in memory with heights, weights, tips and canonical lists (protocol 03 §7.3). It has no bodies
 * and does not validate: added headers are valid. One writer; reads are synchronous and always consistent.
 */
export class BlockDag implements ChainReader {
  private readonly nodes = new Map<Hash, HeaderNode>();
  private readonly packed = new PackedHeaders();
  /** Ring of the newest nodes whose headers are not packed yet. */
  private readonly recent: HeaderNode[] = [];
  private added = 0;
  private readonly chains: Chain[] = [];
  private readonly pruneDuration: bigint;
  private prepared: Plan | undefined;

  /** `genesis`: the headers of the G*G genesis blocks in any order. */
  constructor(
    readonly settings: NetworkSettings,
    genesis: readonly SealedHeader[],
  ) {
    this.pruneDuration = tipPruneDuration(settings);
    const { groups } = settings;
    if (genesis.length !== groups * groups) throw new Error(`expected ${groups * groups} genesis headers`);
    const sorted = [...genesis].sort((a, b) => flatIndex(a.chainIndex, groups) - flatIndex(b.chainIndex, groups));
    const nodes = sorted.map((header) => new HeaderNode(this.packed, header.chainIndex, header, [], undefined));
    const at = (from: number, to: number): DagNode => nodes[from * groups + to]!;
    const all = Array.from({ length: groups }, (_, group) => group);
    for (const node of nodes) {
      const ins = all.filter((group) => group !== node.from).map((group) => at(group, group));
      node.deps = [...ins, ...all.map((to) => at(node.from, to))];
      this.nodes.set(node.hash, node);
      this.chains.push({ index: node.chainIndex, heights: [[node]], tips: new Set([node]) });
    }
  }

  has(hash: Hash): boolean {
    return this.nodes.has(hash);
  }

  node(hash: Hash): DagNode {
    return this.headerNode(hash);
  }

  private headerNode(hash: Hash): HeaderNode {
    const node = this.nodes.get(hash);
    if (!node) throw new UnknownBlock(hash);
    return node;
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
    return this.chain(chain).heights[0]![0]!.hash;
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
    return this.chain(chain).heights[height] ?? [];
  }

  canonicalAt(chain: ChainIndex, height: number): Hash | undefined {
    return this.nodesAt(chain, height)[0]?.hash;
  }

  /** First at its height (protocol 03 §7.4). */
  isCanonical(hash: Hash): boolean {
    const node = this.node(hash);
    return this.nodesAt(node.chainIndex, node.height)[0] === node;
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

  /** Number of blocks, genesis included. */
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
    this.keepRecent(node);
    for (const list of plan.lists) chain.heights[list.height] = list.nodes;
    chain.tips.add(node);
    for (const tip of plan.removedTips) chain.tips.delete(tip);
    return outcomeOf(plan);
  }

  /**
   * Restores stored blocks without genesis, in any order. `tips` holds the hashes of the tips of all chains; without it
   * they follow from the blocks (every block without a child, old ones dropped as in step 4 of §7.3).
   */
  restore(rows: Iterable<StoredHeader>, tips?: Iterable<Hash>): void {
    const sorted = [...rows].sort((a, b) => a.height - b.height || a.heightRank - b.heightRank);
    const restored: HeaderNode[] = [];
    for (const row of sorted) {
      const { header } = row;
      const chain = this.chain(header.chainIndex);
      const parent = this.node(parentHashOf(header, this.settings.groups));
      const node = new HeaderNode(this.packed, chain.index, header, [], parent, row.weight);
      if (node.height !== row.height) throw new Error(`block ${header.hash} is stored with height ${row.height}`);
      (chain.heights[row.height] ??= []).push(node);
      this.nodes.set(header.hash, node);
      restored.push(node);
    }
    for (const node of restored) {
      node.deps = node.header.blockDeps.map((dep) => this.node(dep));
      this.keepRecent(node);
    }
    this.restoreTips(tips ?? this.leaves(restored));
  }

  private keepRecent(node: HeaderNode): void {
    const slot = this.added++ % recentHeaders;
    this.recent[slot]?.pack();
    this.recent[slot] = node;
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

  private *leaves(nodes: readonly DagNode[]): Iterable<Hash> {
    const parents = new Set(nodes.map((node) => node.parent));
    const newest = new Map<ChainIndex, bigint>();
    for (const { chainIndex, timestamp } of nodes) {
      if (timestamp > (newest.get(chainIndex) ?? 0n)) newest.set(chainIndex, timestamp);
    }
    for (const node of nodes) {
      const limit = newest.get(node.chainIndex)! - this.pruneDuration;
      if (!parents.has(node) && node.timestamp >= limit) yield node.hash;
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
    const deps = header.blockDeps.map((dep) => this.node(dep));
    const parent = this.headerNode(parentHashOf(header, this.settings.groups));
    const node = new HeaderNode(this.packed, chain.index, header, deps, parent, weight);
    const isCanonical = [...chain.tips].every((tip) => compareByHeight(node, tip) > 0);
    const own = chain.heights[node.height] ?? [];
    const lists = [{ height: node.height, nodes: isCanonical ? [node, ...own] : [...own, node] }];
    if (isCanonical) lists.push(...reordered(chain, parent));
    const removedTips = [...chain.tips].filter(
      (tip) => tip === parent || tip.timestamp + this.pruneDuration < node.timestamp,
    );
    return { node, chain, isCanonical, lists, removedTips };
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

/**
 * Step 5 of protocol 03 §7.3: moves the branch to the front of each height, from the parent down, until it is in front
 * already.
 */
const reordered = (chain: Chain, parent: DagNode): { height: number; nodes: HeaderNode[] }[] => {
  const lists: { height: number; nodes: HeaderNode[] }[] = [];
  for (let walk: DagNode | undefined = parent; walk; walk = walk.parent) {
    const nodes = chain.heights[walk.height]!;
    const first = nodes.findIndex((node) => node === walk);
    if (first === 0) break;
    lists.push({ height: walk.height, nodes: [nodes[first]!, ...nodes.slice(0, first), ...nodes.slice(first + 1)] });
  }
  return lists;
};
