import { type Hash } from '../../primitives/index.js';
import { type TrieNodesInMemory } from '../trie-node-source.js';
import { decodeTrieNode, type TrieNode } from './trie-node.js';

/** Bytes that a node costs in memory beside its own: map entry, key, object. Measured roughly. */
const overheadPerNode = 250;

/**
 * Trie nodes in memory, each decoded once. With a limit, the nodes that nobody asked for longest are forgotten: two
 * generations, the older one is dropped whole when the younger one has filled half of the limit.
 */
export class LoadedNodes implements TrieNodesInMemory {
  private young = new Map<Hash, TrieNode>();
  private old = new Map<Hash, TrieNode>();
  private youngBytes = 0;
  private holders = 0;

  /** @param limitBytes about how much memory the nodes may take (protocol 04 §9.2); none: nothing is forgotten */
  constructor(private readonly limitBytes = Number.POSITIVE_INFINITY) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  has(hash: Hash): boolean {
    return this.young.has(hash) || this.old.has(hash);
  }

  get(hash: Hash): Uint8Array | undefined {
    return this.node(hash)?.raw;
  }

  node(hash: Hash): TrieNode | undefined {
    const recent = this.young.get(hash);
    if (recent) return recent;
    const node = this.old.get(hash);
    if (node) {
      this.old.delete(hash);
      this.keep(hash, node);
    }
    return node;
  }

  /** Takes nodes in. Throws TrieFault(DecodingError) for bytes that are no node. */
  add(nodes: Iterable<readonly [Hash, Uint8Array]>): void {
    for (const [hash, raw] of nodes) if (!this.has(hash)) this.keep(hash, decodeTrieNode(raw));
  }

  /** Until the function that it gives is called, nothing is forgotten: a block may touch more nodes than the limit allows. */
  hold(): () => void {
    this.holders++;
    return () => {
      this.holders--;
      this.makeRoom();
    };
  }

  private keep(hash: Hash, node: TrieNode): void {
    this.young.set(hash, node);
    this.youngBytes += node.raw.length + overheadPerNode;
    this.makeRoom();
  }

  private makeRoom(): void {
    if (this.holders > 0 || this.youngBytes * 2 <= this.limitBytes) return;
    this.old = this.young;
    this.young = new Map();
    this.youngBytes = 0;
  }
}
