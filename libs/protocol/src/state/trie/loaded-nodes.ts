import { type Hash } from '../../primitives/index.js';
import { type TrieNodesInMemory } from '../trie-node-source.js';
import { TwoGenerations } from '../two-generations.js';
import { decodeTrieNode, type TrieNode } from './trie-node.js';

/** Approximate memory overhead of a node in bytes: map entry, key, object. */
const overheadPerNode = 250;

/** The same for the cached child hashes of a branch: most branches are replaced before any is read. */
const overheadPerBranch = 100;

const bytesOf = ({ kind, raw }: TrieNode): number =>
  raw.length + overheadPerNode + (kind === 'branch' ? overheadPerBranch : 0);

/**
 * Number of updates after which replaced nodes are evicted: until then blocks may arrive that build on the previous
 * state.
 */
const updatesKept = 64;

/** Trie nodes in memory, each decoded once. With a limit, the least recently used nodes are evicted. */
export class LoadedNodes implements TrieNodesInMemory {
  private readonly nodes: TwoGenerations<Hash, TrieNode>;
  /** Nodes that the newest updates have replaced, update by update. */
  private readonly replaced: (readonly Hash[])[] = [];

  /** @param limitBytes approximate memory limit of the nodes (protocol 04 §9.2); default: no eviction */
  constructor(private readonly limitBytes = Number.POSITIVE_INFINITY) {
    this.nodes = new TwoGenerations(limitBytes, bytesOf);
  }

  get size(): number {
    return this.nodes.size;
  }

  has(hash: Hash): boolean {
    return this.nodes.has(hash);
  }

  get(hash: Hash): Uint8Array | undefined {
    return this.node(hash)?.raw;
  }

  node(hash: Hash): TrieNode | undefined {
    return this.nodes.get(hash);
  }

  /** Adds nodes. Throws TrieFault(DecodingError) for bytes that are no node. */
  add(nodes: Iterable<readonly [Hash, Uint8Array]>): void {
    for (const [hash, raw] of nodes) if (!this.nodes.has(hash)) this.nodes.add(hash, decodeTrieNode(raw));
  }

  /**
   * Marks nodes as replaced by an update of a trie. With a limit, they are evicted some updates later: under load most
   * nodes are of former states after seconds, and would displace those of the newest state.
   */
  replace(hashes: readonly Hash[]): void {
    if (this.limitBytes === Number.POSITIVE_INFINITY) return;
    this.replaced.push(hashes);
    if (this.replaced.length > updatesKept) this.nodes.forget(this.replaced.shift()!);
  }

  /** Suspends eviction until the returned function is called: a block may touch more nodes than the limit allows. */
  hold(): () => void {
    return this.nodes.hold();
  }
}
