import {
  byteaArray,
  type SchemaStatements,
  hashArray,
  int2Array,
  int4Array,
  int8Array,
} from '@shardnode/core/database';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { valsCodec } from '@shardnode/protocol/script';
import { type CommitPart, inSlices, inSlicesBySize } from './commit-part.js';
import { type NumberedCommit } from './headers.js';
import { type EventPageQuery, type StoredEvent } from './model.js';

/** One page for each contract with events in a block (protocol 04 §6.2), blocks in the order of acceptance. */
const pageParts = (commits: readonly NumberedCommit[]): CommitPart[] => {
  const pages = commits.flatMap(({ seq, commit }) => {
    const contracts = new Set(commit.worldState?.events?.map(({ contractId }) => contractId));
    return [...contracts].map((contractId) => ({ seq, contractId }));
  });
  return inSlices(pages).map((rows) => ({
    writes: 'write_event_pages',
    values: [int8Array(rows.map(({ seq }) => seq)), hashArray(rows.map(({ contractId }) => contractId))],
    rows: rows.length,
  }));
};

/** The events of blocks, and the pages by which a contract's events are read. */
export const eventParts = (commits: readonly NumberedCommit[]): CommitPart[] => {
  const events = commits.flatMap(({ seq, commit }) =>
    (commit.worldState?.events ?? []).map((entry, position) => ({
      seq,
      position,
      entry,
      fields: encode(valsCodec, entry.fields),
    })),
  );
  const parts = inSlicesBySize(events, ({ fields }) => fields.length).map(({ rows, weight }): CommitPart => ({
    writes: 'write_events',
    values: [
      int8Array(rows.map(({ seq }) => seq)),
      int4Array(rows.map(({ position }) => position)),
      hashArray(rows.map(({ entry }) => entry.contractId)),
      hashArray(rows.map(({ entry }) => entry.transactionId)),
      int2Array(rows.map(({ entry }) => entry.eventIndex)),
      byteaArray(rows.map(({ fields }) => fields)),
    ],
    rows: weight,
  }));
  return [...pageParts(commits), ...parts];
};

interface EventRow {
  readonly hash: Buffer;
  readonly contract_id: Buffer;
  readonly tx_id: Buffer;
  readonly event_index: number;
  readonly fields: Buffer;
}

const columns = 'h.hash, e.contract_id, e.tx_id, e.event_index, e.fields';

const eventOf = ({ hash, contract_id, tx_id, event_index, fields }: EventRow): StoredEvent => ({
  blockHash: bytesToHex(hash),
  txId: bytesToHex(tx_id),
  contractId: bytesToHex(contract_id),
  eventIndex: event_index,
  fields: new Uint8Array(fields),
});

/** The first page of an answer is given whole; no further one begins when so many bytes of fields are reached. */
const bytesPerAnswer = 2 ** 20;

/** Debug messages: left out of the events of a contract (protocol 04 §6.3). */
const debugIndex = -3;

interface PageRow {
  readonly page: number;
  readonly block_seq: bigint;
  readonly bytes: string;
}

/** The pages of an answer, canonical or not. Those that are not count with nothing. */
const loadPages = (
  database: SchemaStatements,
  { contractId, start, limit }: EventPageQuery,
): Promise<readonly PageRow[]> =>
  database.query<PageRow>(
    'event-pages',
    `SELECT p.page, p.block_seq, coalesce(sum(octet_length(e.fields) + 100), 0)::text AS bytes
     FROM ${database.schema}.event_page p JOIN ${database.schema}.block_header h ON h.seq = p.block_seq
     LEFT JOIN ${database.schema}.event e
       ON h.height_rank = 0 AND e.contract_id = p.contract_id AND e.block_seq = p.block_seq
     WHERE p.contract_id = $1 AND p.page >= $2::bigint AND p.page < $2::bigint + $3::bigint
     GROUP BY p.page, p.block_seq ORDER BY p.page`,
    [hexToBytes(contractId), start, limit],
  );

/** See `EventReads.contractEvents`. Pages are numbered in the order of acceptance, so that is the order of the events. */
export const loadContractEvents = async (
  database: SchemaStatements,
  query: EventPageQuery,
): Promise<{ readonly events: readonly StoredEvent[]; readonly nextStart: number }> => {
  const pages: PageRow[] = [];
  let bytes = 0;
  for (const page of await loadPages(database, query)) {
    if (pages.length > 0 && bytes + Number(page.bytes) > bytesPerAnswer) break;
    pages.push(page);
    bytes += Number(page.bytes);
  }
  const last = pages.at(-1);
  if (!last) return { events: [], nextStart: query.start };
  const rows = await database.query<EventRow>(
    'contract-events',
    `SELECT ${columns} FROM ${database.schema}.event e JOIN ${database.schema}.block_header h ON h.seq = e.block_seq
     WHERE e.contract_id = $1 AND e.block_seq = ANY ($2::bigint[]) AND h.height_rank = 0 AND e.event_index <> ${debugIndex}
     ORDER BY e.block_seq, e.position`,
    [hexToBytes(query.contractId), int8Array(pages.map(({ block_seq }) => block_seq))],
  );
  return { events: rows.map(eventOf), nextStart: last.page + 1 };
};

/** The counter of a contract (protocol 04 §6.3); pages of blocks that are not canonical count too. */
export const countEventPages = async (database: SchemaStatements, contractId: Hash): Promise<number> => {
  const rows = await database.query<{ count: number }>(
    'count-event-pages',
    `SELECT coalesce(max(page) + 1, 0) AS count FROM ${database.schema}.event_page WHERE contract_id = $1`,
    [hexToBytes(contractId)],
  );
  return rows[0]!.count;
};

/** Canonical ones, in the order of emission. */
export const loadTransactionEvents = async (
  database: SchemaStatements,
  txId: Hash,
): Promise<readonly StoredEvent[]> => {
  const rows = await database.query<EventRow>(
    'transaction-events',
    `SELECT ${columns} FROM ${database.schema}.event e JOIN ${database.schema}.block_header h ON h.seq = e.block_seq
     WHERE e.tx_id = $1 AND h.height_rank = 0 ORDER BY e.block_seq, e.position`,
    [hexToBytes(txId)],
  );
  return rows.map(eventOf);
};

/** By block, in the order of emission. */
export const loadEventsOfBlocks = async (
  database: SchemaStatements,
  blockHashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, readonly StoredEvent[]>> => {
  const events = new Map<Hash, StoredEvent[]>();
  if (blockHashes.length === 0) return events;
  const rows = await database.query<EventRow>(
    'block-events',
    `SELECT ${columns} FROM ${database.schema}.event e JOIN ${database.schema}.block_header h ON h.seq = e.block_seq
     WHERE h.hash = ANY ($1::bytea[]) ORDER BY e.block_seq, e.position`,
    [hashArray(blockHashes)],
  );
  for (const event of rows.map(eventOf)) {
    const list = events.get(event.blockHash);
    if (list) list.push(event);
    else events.set(event.blockHash, [event]);
  }
  return events;
};
