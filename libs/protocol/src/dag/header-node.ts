import { type BlockHeader, headerCodec, type SealedHeader } from '../block/index.js';
import { decode, encode } from '../encoding/index.js';
import { blockVersion, type ChainIndex, type Hash } from '../primitives/index.js';
import { type DagNode, type Skip, skipFor, workAfter } from './node.js';
import { type PackedHeaders } from './packed-headers.js';
import { accumulatedWeight } from './weight.js';

/** Where the links of nodes lead. */
export interface NodeIndex {
  /** Throws BlocksMissing with all that are not in memory, and UnknownBlock. */
  nodesOf(hashes: readonly Hash[]): readonly DagNode[];
  node(hash: Hash): DagNode;
  nodesAt(chain: ChainIndex, height: number): readonly DagNode[];
  lowest(chain: ChainIndex): number;
  readonly packed: PackedHeaders;
}

/** Position of a node in its chain. */
export interface NodePlace {
  readonly chain: ChainIndex;
  /** Absent: it follows from the parent, or is 0 without one. */
  readonly height?: number;
  /** Absent: it follows from the dependencies. */
  readonly weight?: bigint | undefined;
  /** If it is in memory. */
  readonly parent: DagNode | undefined;
}

/**
 * A node of BlockDag: the parts of a header, the hashes of its dependencies, and what the rules read often. Its links are
 * looked up when they are followed.
 */
export class HeaderNode implements DagNode {
  readonly hash: Hash;
  readonly chainIndex: ChainIndex;
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly weight: bigint;
  readonly timestamp: bigint;
  readonly target: number;
  readonly work: bigint;
  skip: Skip | undefined;
  /** Its slot among the packed headers, or the bytes of the header. */
  private source: number | Uint8Array;
  private links: (DagNode | undefined)[] | undefined = [];

  /** `depHashes`: other than those of the header for genesis blocks alone. Throws BlocksMissing without a weight. */
  constructor(
    private readonly index: NodeIndex,
    header: SealedHeader,
    { chain, height, weight, parent }: NodePlace,
    readonly depHashes: readonly Hash[] = header.blockDeps,
  ) {
    this.hash = header.hash;
    this.chainIndex = chain;
    this.from = chain.from;
    this.to = chain.to;
    this.timestamp = header.timestamp;
    this.target = header.target;
    this.source = header.raw;
    this.work = workAfter(parent, header.target);
    this.height = height ?? (parent ? parent.height + 1 : 0);
    this.skip = parent && skipFor(parent, this.work, index.lowest(this.chainIndex));
    this.weight = weight ?? (parent ? accumulatedWeight(this.from, this.deps, this.work) : 0n);
  }

  get header(): SealedHeader {
    const { hash, chainIndex, source } = this;
    if (typeof source !== 'number') return { ...decode(headerCodec, source), hash, chainIndex, raw: source };
    const header = this.unpacked(source);
    return { ...header, hash, chainIndex, raw: encode(headerCodec, header) };
  }

  get parent(): DagNode | undefined {
    return this.height === 0 ? undefined : this.dep((this.depHashes.length - 1) / 2 + this.to);
  }

  get deps(): readonly DagNode[] {
    const nodes = this.index.nodesOf(this.depHashes);
    if (this.links) this.links = [...nodes];
    return nodes;
  }

  dep(slot: number): DagNode {
    const { links } = this;
    const known = links?.[slot];
    if (known) return known;
    const node = this.index.node(this.depHashes[slot]!);
    if (links) links[slot] = node;
    return node;
  }

  /** A height with one block has the ancestor of every block above it (protocol 03 §7.8). */
  ancestorNear(height: number): DagNode | undefined {
    for (let near = height; near < this.height; near++) {
      const nodes = this.index.nodesAt(this.chainIndex, near);
      if (nodes.length === 1) return nodes[0];
    }
    return undefined;
  }

  /** It enters the index. A genesis block has other dependencies than its header. */
  pack(header: SealedHeader): void {
    const { packed } = this.index;
    if (this.height > 0 && packed.canPack(header)) this.source = packed.keep(header);
  }

  /** It leaves the index: from here on it retains no other node. */
  unlink(): void {
    if (typeof this.source === 'number') {
      const slot = this.source;
      this.source = encode(headerCodec, this.unpacked(slot));
      this.index.packed.release(slot);
    }
    this.links = undefined;
    this.skip = undefined;
  }

  private unpacked(slot: number): BlockHeader {
    const { nonce, depStateHash, txsHash } = this.index.packed.read(slot);
    const { depHashes: blockDeps, timestamp, target } = this;
    return { nonce, version: blockVersion, blockDeps, depStateHash, txsHash, timestamp, target };
  }
}
