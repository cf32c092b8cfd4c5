import { type KnownBlocks } from './known-blocks.js';
import { blockText, type LedgerBlock, type LedgerOutput, type LedgerTransaction } from './ledger-block.js';
import { rewardOf } from './emission-table.js';
import { type OracleNetwork } from './network.js';
import { type Problems } from './problems.js';
import { feeOf, sumOf } from './transaction-checks.js';

/** Coins, in attoCoin. At every block: `held` = `genesis` + `mined` - `burned`. */
export interface Supply {
  readonly genesis: bigint;
  /** By the emission table, not by the coinbases. */
  readonly mined: bigint;
  /** Fees. */
  readonly burned: bigint;
  /** In unspent outputs. */
  readonly held: bigint;
}

/** The sum of the canonical blocks in order, independent of the groups' views. */
export class MainLedger {
  readonly unspent = new Map<string, LedgerOutput>();
  /** Canonical blocks of each transaction with inputs or outputs. */
  readonly blocksOf = new Map<string, LedgerBlock[]>();
  private readonly spentBy = new Map<string, string>();
  private totals = { genesis: 0n, mined: 0n, burned: 0n, held: 0n };
  private missing = 0n;

  constructor(
    private readonly known: KnownBlocks,
    private readonly network: OracleNetwork,
    private readonly problems: Problems,
  ) {}

  get supply(): Supply {
    return this.totals;
  }

  add(block: LedgerBlock): void {
    block.transactions.forEach((entry, place, all) => {
      this.note(block, entry);
      for (const reference of entry.spends) this.spend(block, entry.id, reference);
      for (const output of entry.creates) {
        if (this.spentBy.has(output.reference) || this.unspent.has(output.reference)) continue;
        this.unspent.set(output.reference, output);
        this.totals.held += output.output.amount;
      }
      if (block.isGenesis) this.totals.genesis += sumOf(entry.transaction.unsigned.fixedOutputs);
      else if (place < all.length - 1) this.totals.burned += feeOf(entry.transaction);
    });
    if (!block.isGenesis) this.totals.mined += rewardOf(this.network, block.target, block.timestamp);
    this.compareSupply(block);
  }

  private note(block: LedgerBlock, { id, spends, creates }: LedgerTransaction): void {
    // Groups without allocations may share the same empty genesis transaction.
    if (spends.length + creates.length === 0) return;
    const blocks = this.blocksOf.get(id) ?? [];
    if (blocks.length > 0) {
      const text = `transaction ${id} is in ${blockText(blocks[0]!)} and in ${blockText(block)}`;
      this.problems.add('TransactionConfirmedTwice', id, text);
    }
    this.blocksOf.set(id, [...blocks, block]);
  }

  private spend(block: LedgerBlock, id: string, reference: string): void {
    const before = this.spentBy.get(reference);
    if (before !== undefined) {
      const text = `transaction ${id} in ${blockText(block)} spends ${reference}, as ${before} does`;
      this.problems.add('OutputSpentTwice', reference, text);
      return;
    }
    this.spentBy.set(reference, id);
    const output = this.unspent.get(reference);
    if (output) {
      this.unspent.delete(reference);
      this.totals.held -= output.output.amount;
      return;
    }
    const origin = this.known.origin(reference);
    const who = `transaction ${id} in ${blockText(block)} spends ${reference}`;
    if (!origin) this.problems.add('OutputUnknown', reference, `${who}, which no block made`);
    else if (!origin.blocks.some(({ hash }) => this.known.isCanonical(hash))) {
      this.problems.add('OutputOffChain', reference, `${who}, which only blocks off the canonical chains made`);
    }
  }

  /** Compares each block only with its own changes, so that one wrong block is not reported for all later ones. */
  private compareSupply(block: LedgerBlock): void {
    const { genesis, mined, burned, held } = this.totals;
    const missing = genesis + mined - burned - held;
    if (missing === this.missing) return;
    const more = this.missing - missing;
    const text = `${blockText(block)} leaves ${more > 0n ? `${more} too many` : `${-more} too few`} attoCoin`;
    this.problems.add('SupplyDiffers', block.hash, text);
    this.missing = missing;
  }
}
