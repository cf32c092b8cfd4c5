import { encode } from '@shardnode/protocol/encoding';
import { outputCodec } from '@shardnode/protocol/transaction';
import { type ContractStates } from './contract-states.js';
import { emptyOutputs, hashOfRoots, seedOutputKey } from './empty-state.js';
import { type Histories, type Included } from './history.js';
import { type KnownBlocks } from './known-blocks.js';
import { blockText, isContractReference, type LedgerBlock, type LedgerOutput, storedOutput } from './ledger-block.js';
import { rootHash, trieEntries, trieGet, type TrieNode, triePut, trieRemove } from './naive-trie.js';
import { type Problems } from './problems.js';

/** Number of newest states of each group whose outputs are retained. */
const retainedStates = 100;

/** Net effects of blocks on the outputs of a group (protocol 03 §8.5). */
export interface GroupEffects {
  /** With the time of the block that makes it. */
  readonly created: ReadonlyMap<string, { readonly output: LedgerOutput; readonly timestamp: bigint }>;
  readonly spent: ReadonlySet<string>;
}

/**
 * The unspent outputs of a group after each of its intra-group blocks, and the further outputs that single blocks may
 * spend.
 */
export class GroupStates {
  private readonly tries = new Map<LedgerBlock, TrieNode>();
  private readonly hashes = new Map<LedgerBlock, string>();
  /** Number of later blocks that build on the state after a block. */
  private readonly awaited = new Map<LedgerBlock, number>();

  constructor(
    private readonly known: KnownBlocks,
    private readonly histories: Histories,
    private readonly contracts: ContractStates,
    private readonly problems: Problems,
  ) {
    for (const block of known.all()) {
      const base = block.isGenesis ? undefined : known.intraDep(block);
      if (base) this.awaited.set(base, (this.awaited.get(base) ?? 0) + 1);
    }
  }

  /** Checks a block on the state of its dependencies; computes the state after an intra-group block. */
  add(block: LedgerBlock): void {
    if (block.isGenesis) {
      if (block.from !== block.to) return;
      this.tries.set(block, this.applied(emptyOutputs, block.from, [block]));
      this.contracts.begin(block);
      return;
    }
    const base = this.known.intraDep(block);
    if (!base) return;
    this.judge(block, base);
    this.release(base);
  }

  private judge(block: LedgerBlock, base: LedgerBlock): void {
    const trie = this.tries.get(base);
    const included = this.histories.of(block);
    if (!trie || !included) return;
    this.checkStateHash(block, base);
    const parent = this.known.parent(block)!;
    const mine = included.map((newest) => (newest === block ? parent : newest));
    const pending = this.histories.groupBlocks(block.from, this.histories.of(base)!, mine);
    this.checkSpends(block, trie, pending, mine);
    if (block.from !== block.to) return;
    const after = this.applied(trie, block.from, [...pending, block]);
    this.tries.set(block, after);
    this.contracts.add(block, base, this.before(block.from, trie, pending), (reference) => trieGet(after, reference));
  }

  /** Retains only the hash of an old state without later blocks, because memory cannot hold millions of nodes. */
  private release(base: LedgerBlock): void {
    const awaited = this.awaited.get(base)! - 1;
    this.awaited.set(base, awaited);
    if (awaited > 0 || base.height + retainedStates > this.known.list(base.from, base.to).length) return;
    this.stateHash(base);
    this.tries.delete(base);
    this.contracts.release(base);
  }

  /** Whether the outputs after an intra-group block are still known. */
  has(block: LedgerBlock): boolean {
    return this.tries.has(block);
  }

  /** Outputs visible to a block: those not in the state yet have the lock time as written (protocol 03 §8.3). */
  private before(group: number, trie: TrieNode, pending: readonly LedgerBlock[]) {
    const { created, spent } = this.effects(group, pending);
    return (reference: string): Uint8Array | undefined => {
      if (spent.has(reference)) return undefined;
      const fresh = created.get(reference);
      return trieGet(trie, reference) ?? (fresh && encode(outputCodec, fresh.output.output));
    };
  }

  /** The hash of the state after an intra-group block; undefined if it could not be computed. */
  stateHash(block: LedgerBlock): string | undefined {
    const known = this.hashes.get(block);
    const trie = this.tries.get(block);
    if (known !== undefined || !trie) return known;
    const hash = hashOfRoots(rootHash(trie), this.contracts.root(block));
    this.hashes.set(block, hash);
    return hash;
  }

  /** References of the outputs in the state after an intra-group block, ascending. */
  entries(block: LedgerBlock): { readonly key: string; readonly data: Uint8Array }[] {
    const trie = this.tries.get(block);
    return trie ? trieEntries(trie).filter(({ key }) => key !== seedOutputKey) : [];
  }

  /** References of all outputs of a group that a block with these dependencies could spend (protocol 03 §8.3). */
  visible(group: number, base: LedgerBlock, included: Included): Set<string> {
    const pending = this.histories.groupBlocks(group, this.histories.of(base)!, included);
    const { created, spent } = this.effects(group, pending);
    const all = new Set([...this.entries(base).map(({ key }) => key), ...created.keys()]);
    for (const reference of spent) all.delete(reference);
    return all;
  }

  private checkStateHash(block: LedgerBlock, base: LedgerBlock): void {
    const hash = this.stateHash(base);
    if (hash === block.depStateHash) return;
    const text = `${blockText(block)} says ${block.depStateHash} of the state after ${blockText(base)}, it is ${hash}`;
    this.problems.add('StateHashDiffers', `${base.hash} ${block.depStateHash}`, text);
  }

  private effects(group: number, blocks: readonly LedgerBlock[]): GroupEffects {
    const created = new Map<string, { output: LedgerOutput; timestamp: bigint }>();
    const spent = new Set<string>();
    for (const { from, timestamp, transactions, hash } of blocks) {
      for (const { spends, creates, id } of transactions) {
        for (const output of creates) {
          if (output.group === group) created.set(output.reference, { output, timestamp });
        }
        if (from !== group) continue;
        for (const reference of spends) {
          if (spent.has(reference)) {
            this.problems.add('OutputSpentTwice', reference, `${id} in ${hash} spends ${reference}, a sibling did too`);
          }
          spent.add(reference);
        }
      }
    }
    return { created, spent };
  }

  /** Adds created outputs and removes spent ones: the trie does not depend on the order (protocol 04 §2.8). */
  private applied(trie: TrieNode, group: number, blocks: readonly LedgerBlock[]): TrieNode {
    const { created, spent } = this.effects(group, blocks);
    let root = trie;
    for (const [reference, { output, timestamp }] of created) {
      root = triePut(root, reference, storedOutput(output, timestamp));
    }
    for (const reference of spent) if (trieGet(root, reference)) root = trieRemove(root, reference)!;
    return root;
  }

  /** Checks that each input exists for the block: created and not spent by its included blocks. */
  private checkSpends(block: LedgerBlock, trie: TrieNode, pending: readonly LedgerBlock[], mine: Included): void {
    const { created, spent } = this.effects(block.from, pending);
    const spentHere = new Set<string>();
    // Only contract outputs: later scripts may use them in the same block, asset outputs only in later blocks.
    const madeHere = new Set<string>();
    for (const { id, spends, creates } of block.transactions) {
      for (const reference of spends) {
        const exists = trieGet(trie, reference) !== undefined || created.has(reference) || madeHere.has(reference);
        if (spentHere.has(reference) || spent.has(reference) || !exists) {
          this.explain(reference, `transaction ${id} in ${blockText(block)}`, spentHere, mine);
        }
        spentHere.add(reference);
      }
      for (const { reference } of creates) if (isContractReference(reference)) madeHere.add(reference);
    }
  }

  private explain(reference: string, who: string, spentHere: ReadonlySet<string>, mine: Included): void {
    const origin = this.known.origin(reference);
    if (!origin) {
      this.problems.add('OutputUnknown', reference, `${who} spends ${reference}, which no block made`);
    } else if (spentHere.has(reference) || origin.blocks.some((block) => this.histories.includes(mine, block))) {
      this.problems.add('OutputSpentTwice', reference, `${who} spends ${reference}, which was spent before`);
    } else {
      const where = origin.blocks.map(blockText).join(', ');
      this.problems.add('OutputNotVisible', reference, `${who} spends ${reference} of ${where}, which it cannot see`);
    }
  }
}
