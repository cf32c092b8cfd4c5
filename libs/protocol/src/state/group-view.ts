import { type Block } from '../block/index.js';
import { groupOfReference, type OutputReference, referenceId } from '../primitives/index.js';
import { type Output } from '../transaction/index.js';
import { blockEffects, type ReferencedOutput } from './block-effects.js';

/** Which outputs exist for a transaction under validation (protocol 03 §8.3, 02 §3). */
export interface OutputView {
  /** The output with its raw lock time if it is found in a pending block; undefined when absent or spent. */
  output(reference: OutputReference): Output | undefined;
}

/** The view of one group: a base world state and the pending blocks in front of it. */
export interface GroupView extends OutputView {
  /** Whether a pending block spends the reference; then the base does not count. */
  isSpent(reference: OutputReference): boolean;
  /** Asset outputs of the group that pending blocks create, spent ones included, in the order of the blocks. */
  readonly created: readonly ReferencedOutput[];
}

/**
 * The group view (protocol 03 §8.3): spent by a pending out-chain block: absent; else in the base: that; else the first
 * pending block that offers it, lock time as written in the transaction (never normalise it, 03 §8.3); else absent.
 * @param base the output in the output trie of the base world state; may throw StateMiss
 * @param pending the blocks of protocol 03 §8.2, in that order
 */
export const groupView = (
  group: number,
  groups: number,
  base: (reference: OutputReference) => Output | undefined,
  pending: readonly Block[],
): GroupView => {
  const spent = new Set<string>();
  const offered = new Map<string, Output>();
  const created: ReferencedOutput[] = [];
  for (const block of pending) {
    const { chainIndex, transactions } = blockEffects(block);
    const isOut = chainIndex.from === group;
    for (const { inputs, contractInputs, outputs } of transactions) {
      // In-chain blocks spend no outputs of this group: their inputs belong to another group.
      if (isOut) for (const reference of [...inputs, ...contractInputs]) spent.add(referenceId(reference));
      for (const referenced of outputs) {
        const { reference, output } = referenced;
        const isOwn = output.kind === 'asset' && groupOfReference(reference, groups) === group;
        if (isOut && !isOwn) continue;
        const id = referenceId(reference);
        if (offered.has(id)) continue;
        offered.set(id, output);
        if (isOwn) created.push(referenced);
      }
    }
  }
  const isSpent = (reference: OutputReference): boolean => spent.has(referenceId(reference));
  return {
    created,
    isSpent,
    output: (reference) => {
      const id = referenceId(reference);
      return spent.has(id) ? undefined : (base(reference) ?? offered.get(id));
    },
  };
};
