import { hashArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type BlockSummaryAnswer } from '../answers/blocks.js';
import { type Snapshot } from '../database/snapshot.js';

/**
 * Who was paid for applied blocks, and what their transactions moved: the sum of what addresses gained in each of them, in
 * attoCoin. Unknown ones and genesis blocks are left out.
 */
export const blockSummaries = async (
  { schema, query }: Snapshot,
  hashes: readonly Hash[],
): Promise<BlockSummaryAnswer[]> => {
  // The reward is the last transaction of its block, so it has the smallest id.
  const rows = await query<{ hash: Buffer; miner: string; reward: string; moved: string }>(
    'block-summaries',
    `SELECT block.hash, a.address AS miner, o.amount::text AS reward, coalesce(gains.moved, 0)::text AS moved
     FROM (SELECT hash, block_id << 11 AS first_id, (block_id + 1) << 11 AS end_id FROM ${schema}.blocks
       WHERE main_chain AND height > 0 AND hash = ANY($1::bytea[])) block
     CROSS JOIN LATERAL (SELECT tx_id FROM ${schema}.transactions
       WHERE tx_id >= block.first_id AND tx_id < block.end_id ORDER BY tx_id LIMIT 1) reward
     JOIN ${schema}.outputs o ON o.tx_id = reward.tx_id AND o.output_order = 0
     JOIN ${schema}.addresses a ON a.address_id = o.address_id
     CROSS JOIN LATERAL (SELECT sum(greatest(gain, 0)) AS moved FROM (
       SELECT sum(amount) AS gain FROM (
         SELECT tx_id, address_id, amount FROM ${schema}.outputs WHERE tx_id > reward.tx_id AND tx_id < block.end_id
         UNION ALL
         SELECT i.tx_id, coalesce(spent.address_id, i.address_id), -coalesce(spent.amount, 0) FROM ${schema}.inputs i
           LEFT JOIN ${schema}.outputs spent ON spent.tx_id = i.ref_tx_id AND spent.output_order = i.ref_output_order
           WHERE i.tx_id > reward.tx_id AND i.tx_id < block.end_id) parts
       GROUP BY tx_id, address_id) changes) gains`,
    [hashArray(hashes)],
  );
  return rows.map(({ hash, miner, reward, moved }) => ({ hash: bytesToHex(hash), miner, reward, moved }));
};
