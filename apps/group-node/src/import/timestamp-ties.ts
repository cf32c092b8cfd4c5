import { type Block } from '@shardnode/protocol/block';
import { referenceId } from '@shardnode/protocol/primitives';
import { blockEffects } from '@shardnode/protocol/state';

/**
 * Whether an own inter-group block spends an output that a pending block with the very same timestamp makes. Such a block
 * is valid, but no later intra-group block that includes both can be stored: templates must not build on it (protocol 03
 * §8.8 rule d).
 */
export const findTie = (block: Block, pending: readonly Block[]): boolean => {
  const { from, to } = block.header.chainIndex;
  if (from === to) return false;
  const tied = pending.filter(({ header }) => header.timestamp === block.header.timestamp);
  if (tied.length === 0) return false;
  const made = new Set(
    tied.flatMap((other) =>
      blockEffects(other).transactions.flatMap(({ outputs }) => outputs.map(({ reference }) => referenceId(reference))),
    ),
  );
  return blockEffects(block).transactions.some(({ inputs }) => inputs.some((input) => made.has(referenceId(input))));
};
