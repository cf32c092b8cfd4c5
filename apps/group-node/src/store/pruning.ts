import { type Database, hashArray, int8Array, type SchemaStatements } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type PrismaClient } from '../generated/prisma/client.js';
import { type PruningPlace, type PruningStep, type ReplacedNodes } from './model.js';

/** The function of the schema writes the place under the same name. */
const placeKey = 'pruning';

/** The pruning place; undefined: nothing is pruned yet. */
export const loadPruningPlace = async (prisma: PrismaClient): Promise<PruningPlace | undefined> => {
  const row = await prisma.nodeMeta.findUnique({ where: { key: placeKey } });
  return row?.value as PruningPlace | undefined;
};

/** Limit of the bytes of replaced-node lists per read: decoding so many hashes takes a few milliseconds. */
const listBytes = 512 * 1024;

/**
 * The nodes that the state of each block replaced, in stored order. Leaves out blocks without a state, and the greater
 * heights when there are too many nodes. A height is returned whole, and the lowest one always.
 */
export const loadReplacedNodes = async (
  database: SchemaStatements,
  blockHashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, ReplacedNodes>> => {
  if (blockHashes.length === 0) return new Map();
  const { schema } = database;
  const rows = await database.query<{ hash: Buffer; block_seq: bigint; replaced_nodes: Buffer }>(
    'replaced-nodes',
    `SELECT n.hash, n.block_seq, n.replaced_nodes FROM (
       SELECT h.hash, s.block_seq, s.replaced_nodes, sum(octet_length(s.replaced_nodes))
         OVER (ORDER BY h.height RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_below
       FROM ${schema}.block_header h JOIN ${schema}.world_state s ON s.block_seq = h.seq WHERE h.hash = ANY ($1::bytea[])
     ) AS n WHERE coalesce(n.bytes_below, 0) < ${listBytes}`,
    [hashArray(blockHashes)],
  );
  return new Map(
    rows.map(({ hash, block_seq: seq, replaced_nodes: nodes }) => [
      bytesToHex(hash),
      { seq, hashes: nodes.toString('hex').match(/.{64}/g) ?? [] },
    ]),
  );
};

/** One transaction: see `prune_states` of the schema. Returns the number of deleted nodes. */
export const pruneStates = async (
  database: SchemaStatements,
  { nodes, finished, place }: PruningStep,
): Promise<number> => {
  const rows = await database.query<{ gone: bigint }>(
    'prune-states',
    `SELECT ${database.schema}.prune_states($1, $2, $3, $4::jsonb) AS gone`,
    [
      hashArray(nodes.map(({ hash }) => hash)),
      int8Array(nodes.map(({ before }) => before)),
      int8Array(finished),
      JSON.stringify(place),
    ],
  );
  return Number(rows[0]!.gone);
};

/** Tables that continually lose rows. */
const changing = ['trie_node', 'world_state', 'utxo', 'address_balance', 'pending_transaction', 'dropped_transaction'];

/** Milliseconds that one table may take: all other statements wait meanwhile, and so does the end of the process. */
const reclaimPatience = 10_000;

/**
 * Reclaims the space of deleted rows where no server does it by itself. Returns whether it did. Throws when a table
 * takes longer than ten seconds.
 */
export const reclaimSpace = async (database: Pick<Database, 'schema' | 'query' | 'script'>): Promise<boolean> => {
  const rows = await database.query<{ alone: boolean }>(
    'vacuums-itself',
    `SELECT current_setting('autovacuum')::boolean AND current_setting('track_counts')::boolean AS alone`,
  );
  if (rows[0]!.alone) return false;
  for (const table of changing)
    await database.script(`VACUUM ${database.schema}.${table}`, { statementPatience: reclaimPatience });
  return true;
};

/** All nodes in order of their hash, page by page, with the last block that wrote them. */
export async function* loadNodePages(
  database: SchemaStatements,
  pageSize: number,
): AsyncIterable<readonly { readonly hash: Hash; readonly addedSeq: bigint }[]> {
  for (let after: Uint8Array = new Uint8Array(0); ;) {
    const rows = await database.query<{ hash: Buffer; added_seq: bigint }>(
      'node-pages',
      // In order of the index first, which is that of the hash.
      `SELECT hash, added_seq FROM ${database.schema}.trie_node
       WHERE substr(hash, 1, 7) >= substr($1::bytea, 1, 7) AND hash > $1 ORDER BY substr(hash, 1, 7), hash LIMIT ${pageSize}`,
      [after],
    );
    if (rows.length === 0) return;
    yield rows.map(({ hash, added_seq: addedSeq }) => ({ hash: bytesToHex(hash), addedSeq }));
    after = rows.at(-1)!.hash;
  }
}
