import { parentHashOf, type SealedHeader } from '@shardnode/protocol/block';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type ChainRow } from './model.js';

interface Entry {
  readonly hash: Hash;
  readonly chain: string;
  readonly height: number;
  readonly weight: bigint;
  readonly rank: number;
  readonly parent: Hash | undefined;
}

/** Limit of listed problems per kind; further ones are only counted. */
const maxListed = 20;

const chainText = ({ from, to }: ChainIndex): string => `(${from}, ${to})`;

/** Compares heights, ranks and tips of stored headers with the headers themselves. */
export class HeightIndexCheck {
  private readonly entries = new Map<Hash, Entry>();
  private readonly found: string[] = [];

  constructor(
    private readonly group: number,
    private readonly groups: number,
  ) {}

  get headers(): number {
    return this.entries.size;
  }

  /** In the order of acceptance: a parent comes before its children. */
  add({ hash, height, weight, rank, hasBody }: ChainRow, header: SealedHeader): void {
    const { chainIndex } = header;
    const chain = chainText(chainIndex);
    const where = `block ${hash} of chain ${chain}`;
    if (header.hash !== hash) this.found.push(`${where}: its header has the hash ${header.hash}`);
    const parent = height === 0 ? undefined : parentHashOf(header, this.groups);
    const before = parent === undefined ? undefined : this.entries.get(parent);
    if (height > 0 && !before) this.found.push(`${where}: its parent is not stored before it`);
    if (before && before.height !== height - 1) {
      this.found.push(`${where}: its height is ${height}, that of its parent ${before.height}`);
    }
    if (height > 0 && chainIndex.from === this.group && !hasBody) this.found.push(`${where}: its body is missing`);
    this.entries.set(hash, { hash, chain, height, weight, rank, parent });
  }

  /** All problems, for people. */
  problems(tips: readonly { readonly chain: ChainIndex; readonly hashes: readonly Hash[] }[]): readonly string[] {
    const stored = new Map(tips.map(({ chain, hashes }) => [chainText(chain), hashes]));
    // A chain whose row of tips is missing has none.
    for (const { chain } of this.entries.values()) if (!stored.has(chain)) stored.set(chain, []);
    for (const [chain, hashes] of stored) this.checkTips(chain, hashes);
    for (const list of this.byHeight().values()) this.checkRanks(list);
    const rest = this.found.length - maxListed;
    return rest > 0 ? [...this.found.slice(0, maxListed), `and ${rest} more`] : this.found;
  }

  private byHeight(): Map<string, Entry[]> {
    const lists = new Map<string, Entry[]>();
    for (const entry of this.entries.values()) {
      const key = `${entry.chain} ${entry.height}`;
      const list = lists.get(key);
      if (list) list.push(entry);
      else lists.set(key, [entry]);
    }
    return lists;
  }

  private checkRanks(list: readonly Entry[]): void {
    const ranks = list.map(({ rank }) => rank).sort((a, b) => a - b);
    if (ranks.every((rank, place) => rank === place)) return;
    const { chain, height } = list[0]!;
    this.found.push(`height ${height} of chain ${chain}: its blocks have the ranks ${ranks.join(', ')}`);
  }

  /** Tips are the blocks without children; those below the heaviest one are canonical. */
  private checkTips(chain: string, tips: readonly Hash[]): void {
    const own = [...this.entries.values()].filter((entry) => entry.chain === chain);
    const parents = new Set(own.map(({ parent }) => parent));
    const expected = own.filter(({ hash }) => !parents.has(hash)).map(({ hash }) => hash);
    if ([...tips].sort().join() !== expected.sort().join()) {
      this.found.push(`chain ${chain}: its ${tips.length} stored tips are not the ${expected.length} of its headers`);
    }
    const heaviest = own.reduce((most, { weight }) => (weight > most ? weight : most), 0n);
    const ends = own.filter(({ weight, hash }) => weight === heaviest && !parents.has(hash));
    let entry = ends.find(({ rank }) => rank === 0) ?? ends[0];
    for (; entry; entry = entry.parent === undefined ? undefined : this.entries.get(entry.parent)) {
      if (entry.rank === 0) continue;
      this.found.push(`height ${entry.height} of chain ${chain}: the block of the heaviest branch is not the first`);
      return;
    }
  }
}
