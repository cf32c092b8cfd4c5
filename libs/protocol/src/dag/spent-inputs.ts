import { type Hash, referenceId } from '../primitives/index.js';
import { type Transaction } from '../transaction/index.js';
import { type SpentReader } from './readers.js';

/**
 * Thrown by rules that need the inputs of blocks whose spent references are not in memory. The caller loads all named
 * blocks and runs again. Not a refusal.
 */
export class SpentInputsMissing extends Error {
  constructor(readonly blockHashes: readonly Hash[]) {
    super(`the inputs of ${blockHashes.length} blocks are not in memory`);
    this.name = 'SpentInputsMissing';
  }
}

/** The references that the transaction inputs of a block name, contract inputs not counted (protocol 03 §6.3), as reference ids. */
export const spentReferences = (transactions: readonly Transaction[]): ReadonlySet<string> => {
  const references = new Set<string>();
  for (const transaction of transactions) {
    for (const input of transaction.unsigned.inputs) references.add(referenceId(input.outputReference));
  }
  return references;
};

const none: ReadonlySet<string> = new Set();

/** Spent references by block, in memory. Blocks without inputs share one empty set. */
export class SpentInputs implements SpentReader {
  private readonly byBlock = new Map<Hash, ReadonlySet<string>>();

  add(blockHash: Hash, transactions: readonly Transaction[]): void {
    const references = spentReferences(transactions);
    this.byBlock.set(blockHash, references.size === 0 ? none : references);
  }

  spentBy(blockHash: Hash): ReadonlySet<string> | undefined {
    return this.byBlock.get(blockHash);
  }

  forget(blockHash: Hash): void {
    this.byBlock.delete(blockHash);
  }

  get size(): number {
    return this.byBlock.size;
  }
}
