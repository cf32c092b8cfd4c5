import { Ancestry } from './ancestry.js';
import { type KnownBlocks } from './known-blocks.js';
import { blockText, type LedgerBlock } from './ledger-block.js';
import { chainNumber } from './network.js';
import { type Problems } from './problems.js';

/** The newest block of each of the 16 chains that a block includes. */
export type Included = readonly LedgerBlock[];

/** The blocks of a chain after `older` up to `newer`, ascending. */
const between = (known: KnownBlocks, older: LedgerBlock, newer: LedgerBlock): LedgerBlock[] => {
  const found: LedgerBlock[] = [];
  let block: LedgerBlock | undefined = newer;
  for (; block && block !== older && block.height > 0; block = known.parent(block)) found.push(block);
  return found.reverse();
};

/**
 * The blocks included by each block, computed literally: all blocks reachable over dependencies. The product derives
 * them by rules (protocol 03 §4.4, §8.2); for valid blocks both are the same set.
 */
export class Histories {
  private readonly included = new Map<LedgerBlock, Included>();
  private readonly ancestry: Ancestry<LedgerBlock>;

  constructor(
    private readonly known: KnownBlocks,
    private readonly genesis: Included,
    private readonly problems: Problems,
  ) {
    this.ancestry = new Ancestry((block) => ({ height: block.height, parent: known.parent(block) }));
  }

  /** Adds a block after all its dependencies. False: some are unknown, so the set is undefined. */
  add(block: LedgerBlock): boolean {
    this.ancestry.add(block);
    const included = block.isGenesis ? this.genesis : this.merged(block.deps, blockText(block));
    if (!included) return false;
    const own = chainNumber(block, this.known.groups);
    if (!block.isGenesis && included[own] !== this.known.parent(block)) {
      const text = `${blockText(block)} includes ${blockText(included[own]!)} but is not its child`;
      this.problems.add('DependenciesConflict', block.hash, text);
    }
    this.included.set(block, block.isGenesis ? included : included.with(own, block));
    return true;
  }

  of(block: LedgerBlock): Included | undefined {
    return this.included.get(block);
  }

  /** The blocks included by a block with these dependencies, without itself; undefined if some are unknown. */
  merged(deps: readonly string[], who: string): Included | undefined {
    let all = this.genesis;
    for (const hash of deps) {
      const dep = this.known.get(hash);
      const seen = dep && this.included.get(dep);
      if (!seen) return undefined;
      all = all.map((block, chain) => this.newer(block, seen[chain]!, who));
    }
    return all;
  }

  private newer(a: LedgerBlock, b: LedgerBlock, who: string): LedgerBlock {
    if (a === b) return a;
    const [older, newer] = a.height < b.height ? [a, b] : [b, a];
    if (!this.ancestry.isAncestor(older, newer)) {
      const text = `${who} includes two branches: ${blockText(older)} and ${blockText(newer)}`;
      this.problems.add('DependenciesConflict', `${older.hash} ${newer.hash}`, text);
    }
    return newer;
  }

  /** The blocks of chains from and to a group that `now` includes and `before` does not, parents first. */
  groupBlocks(group: number, before: Included, now: Included): LedgerBlock[] {
    return now.flatMap((newest, chain) =>
      newest.from === group || newest.to === group ? between(this.known, before[chain]!, newest) : [],
    );
  }

  includes(included: Included, block: LedgerBlock): boolean {
    return this.ancestry.isAncestor(block, included[chainNumber(block, this.known.groups)]!);
  }
}
