import { type Hash } from '@shardnode/protocol/primitives';
import { blockText, type LedgerBlock, ledgerBlockOf, type LedgerOutput } from './ledger-block.js';
import { chainNumber } from './network.js';
import { type Problems } from './problems.js';

export interface OutputOrigin {
  readonly output: LedgerOutput;
  /** The blocks that make it: more than one when a transaction is on several branches. */
  readonly blocks: LedgerBlock[];
}

/** All blocks of the oracle, canonical or not, and the creators of outputs. */
export class KnownBlocks {
  private readonly byHash = new Map<Hash, LedgerBlock>();
  private readonly origins = new Map<string, OutputOrigin>();
  /** Canonical hashes of each chain, ascending. */
  private readonly lists: Hash[][];
  private readonly canonical = new Set<Hash>();

  constructor(
    readonly groups: number,
    private readonly problems: Problems,
  ) {
    this.lists = Array.from({ length: groups * groups }, () => []);
  }

  /** Decodes and stores a block; undefined if it is malformed or on another chain. */
  private keep(raw: Uint8Array, chain?: { readonly from: number; readonly to: number }): LedgerBlock | undefined {
    let block: LedgerBlock;
    try {
      block = ledgerBlockOf(raw, this.groups);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.problems.add('BlockUndecodable', String(this.byHash.size), `${raw.length} bytes are no block: ${text}`);
      return undefined;
    }
    if (chain && (block.from !== chain.from || block.to !== chain.to)) {
      this.problems.add(
        'BlockOnOtherChain',
        block.hash,
        `${blockText(block)} was given for (${chain.from},${chain.to})`,
      );
      return undefined;
    }
    const known = this.byHash.get(block.hash);
    if (known) return known;
    this.byHash.set(block.hash, block);
    for (const output of block.transactions.flatMap(({ creates }) => creates)) {
      const origin = this.origins.get(output.reference);
      if (origin) origin.blocks.push(block);
      else this.origins.set(output.reference, { output, blocks: [block] });
    }
    return block;
  }

  addCanonical(chain: { readonly from: number; readonly to: number }, raws: readonly Uint8Array[]): void {
    const list = this.lists[chainNumber(chain, this.groups)]!;
    for (const block of raws.map((raw) => this.keep(raw, chain))) {
      if (!block) continue;
      list.push(block.hash);
      this.canonical.add(block.hash);
    }
  }

  addSide(raws: readonly Uint8Array[]): void {
    for (const raw of raws) this.keep(raw);
  }

  get size(): number {
    return this.byHash.size;
  }

  get(hash: Hash): LedgerBlock | undefined {
    return this.byHash.get(hash);
  }

  all(): IterableIterator<LedgerBlock> {
    return this.byHash.values();
  }

  isCanonical(hash: Hash): boolean {
    return this.canonical.has(hash);
  }

  origin(reference: string): OutputOrigin | undefined {
    return this.origins.get(reference);
  }

  list(from: number, to: number): readonly LedgerBlock[] {
    return this.lists[chainNumber({ from, to }, this.groups)]!.map((hash) => this.byHash.get(hash)!);
  }

  /** The 16 genesis blocks by chain; undefined while one is unknown. */
  genesis(): readonly LedgerBlock[] | undefined {
    const found: LedgerBlock[] = [];
    for (const block of this.byHash.values()) if (block.isGenesis) found[chainNumber(block, this.groups)] = block;
    const count = this.groups * this.groups;
    return Array.from({ length: count }, (_, i) => i).every((i) => found[i]) ? found : undefined;
  }

  /** The block before it on its chain. */
  parent(block: LedgerBlock): LedgerBlock | undefined {
    return this.byHash.get(block.deps[this.groups - 1 + block.to]!);
  }

  /** The block of (g,g) on whose state a block of group g builds (protocol 03 §4.1). */
  intraDep(block: LedgerBlock): LedgerBlock | undefined {
    return this.byHash.get(block.deps[this.groups - 1 + block.from]!);
  }

  /** All blocks, each after its known dependencies; otherwise older ones first. Sets heights. */
  inOrder(): LedgerBlock[] {
    const start = [...this.byHash.values()].sort(
      (a, b) => Number(a.timestamp - b.timestamp) || chainNumber(a, this.groups) - chainNumber(b, this.groups),
    );
    const done = new Set<LedgerBlock>();
    const order: LedgerBlock[] = [];
    const stack = start.reverse();
    while (stack.length > 0) {
      const block = stack.at(-1)!;
      const waiting = block.isGenesis ? [] : block.deps.map((hash) => this.byHash.get(hash)).filter((dep) => dep);
      const open = done.has(block) ? [] : waiting.filter((dep) => !done.has(dep!));
      // A hash cannot depend on itself, so this terminates.
      if (open.length > 0) {
        stack.push(...(open as LedgerBlock[]));
        continue;
      }
      stack.pop();
      if (done.has(block)) continue;
      done.add(block);
      block.height = block.isGenesis ? 0 : (this.parent(block)?.height ?? 0) + 1;
      order.push(block);
    }
    return order;
  }
}
