import { maxForkDepth } from '@shardnode/protocol/dag';
import { type BackgroundJob } from '../background/background-job.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Milliseconds for which side blocks keep their bodies, and pending transactions their rows (protocol 08 §4.13). */
const kept = { bodies: 30 * dayMs, pending: dayMs };

/**
 * Drops what nobody needs any more: bodies of side blocks that are too deep to become canonical, and pending transactions
 * that no mempool has listed for a day, as while its group-node is away. Rows of blocks stay.
 */
export const clean: BackgroundJob = {
  name: 'clean',
  everyMs: hourMs,
  run: async ({ writing, clock, logger }) => {
    const now = clock.now();
    const dropped = await writing(async (statements) => {
      const { schema } = statements;
      const bodies = await statements.query(
        'drop-side-bodies',
        `UPDATE ${schema}.blocks b SET body = NULL FROM ${schema}.chain_heads h
         WHERE NOT b.main_chain AND b.chain_from = h.chain_from AND b.chain_to = h.chain_to
           AND b.height <= h.height - $1 AND b.block_timestamp < $2 AND b.body IS NOT NULL RETURNING b.height`,
        [maxForkDepth, now - kept.bodies],
      );
      const pending = await statements.query(
        'drop-old-pending',
        `DELETE FROM ${schema}.pending_txs WHERE last_seen < $1 RETURNING chain_from`,
        [now - kept.pending],
      );
      return { bodies: bodies.length, pending: pending.length };
    });
    if (dropped.bodies + dropped.pending > 0) logger.info(dropped, 'old data is dropped');
  },
};
