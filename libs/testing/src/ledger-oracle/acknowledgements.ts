import { blockText, type LedgerBlock } from './ledger-block.js';
import { type Problems } from './problems.js';

interface Expected {
  readonly from?: number;
  readonly to?: number;
}

/** Transactions that nodes acknowledged to clients. */
export class Acknowledgements {
  private readonly promised = new Map<string, Expected>();
  private readonly reasons = new Map<string, string>();

  acknowledge(id: string, chain: Expected = {}): void {
    this.promised.set(id, { ...this.promised.get(id), ...chain });
  }

  /** The recorded reason why a node dropped an acknowledged transaction (00-decisions, 12). */
  refused(id: string, reason: string): void {
    if (reason.trim() === '') throw new RangeError(`transaction ${id} was refused without a reason`);
    this.reasons.set(id, reason);
  }

  get size(): number {
    return this.promised.size;
  }

  /** Each acknowledged transaction is in a canonical block of its chain, or was dropped with a reason. */
  check(blocksOf: ReadonlyMap<string, readonly LedgerBlock[]>, problems: Problems): void {
    for (const [id, { from, to }] of this.promised) {
      const blocks = blocksOf.get(id) ?? [];
      if (blocks.length === 0 && !this.reasons.has(id)) {
        problems.add('AcknowledgedMissing', id, `transaction ${id} was acknowledged and is in no canonical block`);
      }
      const other = blocks.find((block) => block.from !== (from ?? block.from) || block.to !== (to ?? block.to));
      if (!other) continue;
      const text = `transaction ${id} was acknowledged for chain (${from},${to}) and is in ${blockText(other)}`;
      problems.add('AcknowledgedOnOtherChain', id, text);
    }
  }
}
