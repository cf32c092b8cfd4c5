import { chains, groups } from '../chains.js';
import { type NodeViews } from './node-views.js';

type Chain = (typeof chains)[number];

/** Heights that are read at the same time. */
const page = 200;
/** Blocks below the last known ones that `follow` reads again. */
const overlap = 3;

const nameOf = ({ from, to }: Chain): string => `${from},${to}`;

/**
 * The canonical blocks of all chains as a reader has once seen them. What was published stays: a block that another one
 * takes the place of, or a second block at a height, is an error.
 */
export class PublishedHistory {
  private readonly seen = new Map<string, string[]>();

  constructor(private readonly views: NodeViews) {}

  /** Blocks of all chains that were seen, the first ones included. */
  get blocks(): number {
    return [...this.seen.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Hashes by height. */
  of(chain: Chain): readonly string[] {
    return this.seen.get(nameOf(chain)) ?? [];
  }

  /** Reads what is new from each chain's own group-node (all must answer), and the last ones before again. */
  async follow(): Promise<void> {
    for (const chain of chains) {
      const known = this.seen.get(nameOf(chain)) ?? [];
      const from = Math.max(0, known.length - overlap);
      for (const [index, hashes] of (await this.read(chain.from, chain, from)).entries()) {
        const height = from + index;
        this.compare(chain, chain.from, height, hashes);
        known[height] = hashes[0]!;
      }
      this.seen.set(nameOf(chain), known);
    }
  }

  /** Each group-node has everything that was seen, block by block; of the given chains it has no other block at any height. */
  async expectKept(nodes: readonly number[] = groups, alone: readonly Chain[] = []): Promise<void> {
    for (const node of nodes) {
      for (const chain of chains) {
        const isAlone = alone.includes(chain);
        const all = await this.read(node, chain, 0);
        if (all.length < this.of(chain).length) {
          throw new Error(
            `group-node-${node} has ${all.length} blocks of chain ${nameOf(chain)}, not all that were seen`,
          );
        }
        for (const [height, hashes] of all.entries()) {
          this.compare(chain, node, height, hashes);
          if (isAlone && hashes.length > 1) {
            throw new Error(`group-node-${node} has ${hashes.length} blocks at height ${height} of ${nameOf(chain)}`);
          }
        }
      }
    }
  }

  private compare(chain: Chain, node: number, height: number, [canonical]: readonly string[]): void {
    const before = this.of(chain)[height];
    if (before === undefined || before === canonical) return;
    const where = `chain ${nameOf(chain)}, height ${height}`;
    throw new Error(`${where}: ${before} was published, group-node-${node} now has ${canonical}`);
  }

  /** All hashes at each height, the canonical one first. */
  private async read(node: number, chain: Chain, from: number): Promise<readonly (readonly string[])[]> {
    const { client } = this.views;
    const { currentHeight } = await client.request(node, 'read.chain.info', chain);
    const found: (readonly string[])[] = [];
    for (let at = from; at <= currentHeight; at += page) {
      const heights = Array.from({ length: Math.min(page, currentHeight + 1 - at) }, (_, index) => at + index);
      const asked = heights.map((height) => client.request(node, 'read.chain.hashes', { ...chain, height }));
      found.push(...(await Promise.all(asked)).map(({ hashes }) => hashes));
    }
    return found;
  }
}
