import { type Block } from '../block/index.js';
import { type ChainIndex, type OutputReference } from '../primitives/index.js';
import { type Output, outputsOf, referenceOf, transactionId } from '../transaction/index.js';

/** An output with its reference. */
export interface ReferencedOutput {
  readonly reference: OutputReference;
  readonly output: Output;
}

/** Effects of one transaction on outputs, without its scripts (protocol 04 §3.7). */
export interface TransactionEffects {
  readonly inputs: readonly OutputReference[];
  readonly contractInputs: readonly OutputReference[];
  /** Fixed, then generated; as written in the transaction. */
  readonly outputs: readonly ReferencedOutput[];
}

/** Effects of a block on outputs, for all groups. */
export interface BlockEffects {
  readonly chainIndex: ChainIndex;
  /** Milliseconds. */
  readonly timestamp: bigint;
  readonly transactions: readonly TransactionEffects[];
}

const known = new WeakMap<Block, BlockEffects>();

/** The effects of a block in transaction order, coinbase included. Cached for each object. */
export const blockEffects = (block: Block): BlockEffects => {
  const before = known.get(block);
  if (before) return before;
  const effects: BlockEffects = {
    chainIndex: block.header.chainIndex,
    timestamp: block.header.timestamp,
    transactions: block.transactions.map((transaction) => {
      const id = transactionId(transaction.unsigned);
      return {
        inputs: transaction.unsigned.inputs.map((input) => input.outputReference),
        contractInputs: transaction.contractInputs,
        outputs: outputsOf(transaction).map((output, i) => ({ reference: referenceOf(output, id, i), output })),
      };
    }),
  };
  known.set(block, effects);
  return effects;
};
