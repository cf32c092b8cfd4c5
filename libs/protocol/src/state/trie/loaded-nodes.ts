import { type Hash } from '../../primitives/index.js';
import { type TrieNodesInMemory } from '../trie-node-source.js';
import { TwoGenerations } from '../two-generations.js';
import { decodeTrieNode, type TrieNode } from './trie-node.js';

/** Bytes that a node costs in memory beside its own: map entry, key, object. Measured roughly. */
const overheadPerNode = 250;

/** The same for the hashes of children that a branch remembers: most branches are replaced before anybody asks for one. */
const overheadPerBranch = 100;

const bytesOf = ({ kind, raw }: TrieNode): number =>
  raw.length + overheadPerNode + (kind === 'branch' ? overheadPerBranch : 0);

/** Updates after which nodes that one replaced are forgotten: until then blocks come that build on the state before it. */
const updatesKept = 64;

/** Trie nodes in memory, each decoded once. With a limit, the nodes that nobody asked for longest are forgotten. */
export class LoadedNodes implements TrieNodesInMemory {
  private readonly nodes: TwoGenerations<Hash, TrieNode>;
  /** Nodes that the newest updates have replaced, update by update. */
  private readonly replaced: (readonly Hash[])[] = [];

  /** @param limitBytes about how much memory the nodes may take (protocol 04 §9.2); none: nothing is forgotten */
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

  /** Takes nodes in. Throws TrieFault(DecodingError) for bytes that are no node. */
  add(nodes: Iterable<readonly [Hash, Uint8Array]>): void {
    for (const [hash, raw] of nodes) if (!this.nodes.has(hash)) this.nodes.add(hash, decodeTrieNode(raw));
  }

  /**
   * An update of a trie has replaced these. Some updates later they are forgotten, where there is a limit: under load most nodes
   * are of former states after seconds, and would drive out those of the newest one.
   */
  replace(hashes: readonly Hash[]): void {
    if (this.limitBytes === Number.POSITIVE_INFINITY) return;
    this.replaced.push(hashes);
    if (this.replaced.length > updatesKept) this.nodes.forget(this.replaced.shift()!);
  }

  /** Until the function that it gives is called, nothing is forgotten: a block may touch more nodes than the limit allows. */
  hold(): () => void {
    return this.nodes.hold();
  }
}
