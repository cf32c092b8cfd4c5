import { type Mempool } from '@shardnode/protocol/policy';
import { type OutputView } from '@shardnode/protocol/state';

/** The view that admission and builders use: pooled transactions in front of the blocks-only view (protocol 02 §3.2). */
export const poolView = (pool: Mempool, blocks: OutputView): OutputView => ({
  output: (reference) => {
    if (pool.spenderOf(reference) !== undefined) return undefined;
    return pool.output(reference) ?? blocks.output(reference);
  },
});
