import { randomUUID } from 'node:crypto';
import { hashArray, int2Array, int8Array, type SchemaStatements } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type CommitPart } from './commit-part.js';
import { type BlockCommit, type ChangedChain } from './model.js';

/** The last change of each chain in a batch. */
export const changeParts = (commits: readonly BlockCommit[]): CommitPart[] => {
  const last = new Map(commits.flatMap(({ changed = [] }) => changed).map((change) => [change.to, change]));
  if (last.size === 0) return [];
  const rows = [...last.values()];
  return [
    {
      writes: 'write_changes',
      values: [
        int2Array(rows.map(({ to }) => to)),
        int8Array(rows.map(({ seq }) => BigInt(seq))),
        hashArray(rows.map(({ hash }) => hash)),
      ],
      rows: rows.length,
    },
  ];
};

export const loadChangedChains = async (database: SchemaStatements): Promise<readonly ChangedChain[]> => {
  const rows = await database.query<{ chain_to: number; seq: bigint; hash: Buffer }>(
    'changed-chains',
    `SELECT chain_to, seq, hash FROM ${database.schema}.chain_change ORDER BY chain_to`,
  );
  return rows.map(({ chain_to: to, seq, hash }) => ({ to, seq: Number(seq), hash: bytesToHex(hash) }));
};

/**
 * Draws the identity of the database at its first start: not in a migration, because prepared databases are copied. A
 * restore brings back the rows of another time under the same identity, and leaves its note as the comment of the
 * schema: both together are the epoch, so that followers compare everything again.
 */
export const loadFeedEpoch = async (database: SchemaStatements): Promise<string> => {
  await database.query(
    'draw-feed-epoch',
    `INSERT INTO ${database.schema}.node_meta (key, value) VALUES ('epoch', to_jsonb($1::text)) ON CONFLICT DO NOTHING`,
    [randomUUID()],
  );
  const rows = await database.query<{ epoch: string }>(
    'feed-epoch',
    `SELECT left(md5((value #>> '{}') || coalesce(obj_description(to_regnamespace($1)::oid, 'pg_namespace'), '')), 16)
       AS epoch
     FROM ${database.schema}.node_meta WHERE key = 'epoch'`,
    [`"${database.schema}"`],
  );
  return rows[0]!.epoch;
};
