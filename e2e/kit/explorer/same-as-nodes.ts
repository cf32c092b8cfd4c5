import { type Database } from '@shardnode/core/database';
import { type GroupClient } from '@shardnode/messages';
import { until } from '@shardnode/testing/waiting';

/** Milliseconds within which an index follows its group-nodes after a silence: reconciliation and pulls (protocol 08 §4.8). */
const patience = 30_000;

/** The first chain whose head in the index is not the canonical one of its group-node. */
const differentHead = async (database: Database, client: GroupClient): Promise<string | undefined> => {
  const rows = await database.query<{ chain_from: number; chain_to: number; hash: Buffer }>(
    'heads-of-test',
    `SELECT chain_from, chain_to, hash FROM ${database.schema}.chain_heads`,
  );
  for (let from = 0; from < client.groups; from++) {
    const { heads } = await client.request(from, 'read.chain.heads', {});
    for (const { chainTo, hash, height } of heads) {
      const row = rows.find((one) => one.chain_from === from && one.chain_to === chainTo);
      if (row?.hash.toString('hex') !== hash) return `chain (${from},${chainTo}), at the node of height ${height}`;
    }
  }
  return undefined;
};

/** Waits until all heads of the index are those of the group-nodes. @param client speaks as an explorer */
export const untilHeadsEqual = async (database: Database, client: GroupClient, within = patience): Promise<void> => {
  let difference: string | undefined;
  const isSame = async (): Promise<boolean> => (difference = await differentHead(database, client)) === undefined;
  await until('the index has the heads of the nodes', isSame, within).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}: ${difference}`);
  });
};
