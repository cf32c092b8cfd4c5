import { type Mempool } from '@shardnode/protocol/policy';
import { type Hash } from '@shardnode/protocol/primitives';
import { type OutputView } from '@shardnode/protocol/state';

/**
 * The view of admission and builders: pooled transactions in front of the blocks-only view (protocol 02 §3.2).
 * `except`: the outputs that this pooled transaction spends are visible, so that it can be judged again.
 */
export const poolView = (pool: Mempool, blocks: OutputView, except?: Hash): OutputView => ({
  output: (reference) => {
    const spender = pool.spenderOf(reference);
    if (spender !== undefined && spender !== except) return undefined;
    return pool.output(reference) ?? blocks.output(reference);
  },
});
