import {
  byteaArray,
  type SchemaStatements,
  hashArray,
  int2Array,
  int4Array,
  int8Array,
  prismaBytes,
} from '@shardnode/core/database';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { valsCodec } from '@shardnode/protocol/script';
import { type Prisma, type PrismaClient } from '../generated/prisma/client.js';
import { type CommitPart, inSlices, inSlicesBySize } from './commit-part.js';
import { bytesOfEvent, checkEventBytes } from './event-bytes.js';
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

/** Both ways to the tables of events. */
interface EventTables {
  readonly prisma: PrismaClient;
  readonly database: SchemaStatements;
}

const withBlock = { block: { select: { hash: true } } } as const;
const asEmitted = [{ blockSeq: 'asc' }, { position: 'asc' }] satisfies Prisma.EventOrderByWithRelationInput[];
const canonical = { heightRank: 0 };

type EventRow = Prisma.EventGetPayload<{ include: typeof withBlock }>;

const eventOf = ({ block, contractId, txId, eventIndex, fields }: EventRow): StoredEvent => ({
  blockHash: bytesToHex(block.hash),
  txId: bytesToHex(txId),
  contractId: bytesToHex(contractId),
  eventIndex,
  fields,
});

const bytesOf = (hash: Hash): Uint8Array<ArrayBuffer> => prismaBytes(hexToBytes(hash));

/** The first page of a response is always complete; after so many bytes of fields no further page begins. */
const bytesPerAnswer = 2 ** 20;

/** Debug messages: left out of the events of a contract (protocol 04 §6.3). */
const debugIndex = -3;

interface PageRow {
  readonly page: number;
  readonly block_seq: bigint;
  readonly bytes: string;
}

/** The pages of a response, canonical or not. Events of blocks that are not canonical add no bytes. */
const loadPages = (
  database: SchemaStatements,
  { contractId, start, limit }: EventPageQuery,
): Promise<readonly PageRow[]> =>
  database.query<PageRow>(
    'event-pages',
    `SELECT p.page, p.block_seq, coalesce(sum(octet_length(e.fields) + ${bytesOfEvent}), 0)::text AS bytes
     FROM ${database.schema}.event_page p JOIN ${database.schema}.block_header h ON h.seq = p.block_seq
     LEFT JOIN ${database.schema}.event e
       ON h.height_rank = 0 AND e.contract_id = p.contract_id AND e.block_seq = p.block_seq
     WHERE p.contract_id = $1 AND p.page >= $2::bigint AND p.page < $2::bigint + $3::bigint
     GROUP BY p.page, p.block_seq ORDER BY p.page`,
    [hexToBytes(contractId), start, limit],
  );

/** See `EventReads.contractEvents`. Pages are numbered in the order of acceptance, so that is the order of the events. */
export const loadContractEvents = async (
  prisma: PrismaClient,
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
  checkEventBytes(bytes, query.maxBytes ?? Number.POSITIVE_INFINITY);
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last) return { events: [], nextStart: query.start };
  const rows = await prisma.event.findMany({
    where: {
      contractId: bytesOf(query.contractId),
      // Pages are neighbours, so that no other one is between the first and the last.
      blockSeq: { gte: first.block_seq, lte: last.block_seq },
      eventIndex: { not: debugIndex },
      block: canonical,
    },
    orderBy: asEmitted,
    include: withBlock,
  });
  return { events: rows.map(eventOf), nextStart: last.page + 1 };
};

/** The counter of a contract (protocol 04 §6.3); pages of blocks that are not canonical count too. */
export const countEventPages = async (prisma: PrismaClient, contractId: Hash): Promise<number> => {
  const where = { contractId: bytesOf(contractId) };
  const last = await prisma.eventPage.findFirst({ where, orderBy: { page: 'desc' }, select: { page: true } });
  return last ? last.page + 1 : 0;
};

/** Bytes of the events of a transaction in canonical blocks, or of a block. */
const loadEventBytes = async (database: SchemaStatements, of: 'tx' | 'block', hash: Hash): Promise<number> => {
  const { schema } = database;
  const condition = of === 'tx' ? 'e.tx_id = $1 AND h.height_rank = 0' : 'h.hash = $1';
  const rows = await database.query<{ bytes: number }>(
    `event-bytes-${of}`,
    `SELECT coalesce(sum(octet_length(e.fields) + ${bytesOfEvent}), 0)::int4 AS bytes
     FROM ${schema}.event e JOIN ${schema}.block_header h ON h.seq = e.block_seq WHERE ${condition}`,
    [hexToBytes(hash)],
  );
  return rows[0]!.bytes;
};

/** Canonical ones, in the order of emission. */
export const loadTransactionEvents = async (
  { prisma, database }: EventTables,
  txId: Hash,
  maxBytes?: number,
): Promise<readonly StoredEvent[]> => {
  if (maxBytes !== undefined) checkEventBytes(await loadEventBytes(database, 'tx', txId), maxBytes);
  const where = { txId: bytesOf(txId), block: canonical };
  return (await prisma.event.findMany({ where, orderBy: asEmitted, include: withBlock })).map(eventOf);
};

/** In the order of emission. */
export const loadBlockEvents = async (
  { prisma, database }: EventTables,
  hash: Hash,
  maxBytes?: number,
): Promise<readonly StoredEvent[]> => {
  if (maxBytes !== undefined) checkEventBytes(await loadEventBytes(database, 'block', hash), maxBytes);
  return (await loadEventsOfBlocks(prisma, [hash])).get(hash) ?? [];
};

/** By block, in the order of emission. */
export const loadEventsOfBlocks = async (
  prisma: PrismaClient,
  blockHashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, readonly StoredEvent[]>> => {
  if (blockHashes.length === 0) return new Map();
  const where = { block: { hash: { in: blockHashes.map(bytesOf) } } };
  const rows = await prisma.event.findMany({ where, orderBy: asEmitted, include: withBlock });
  const events = new Map<Hash, StoredEvent[]>();
  for (const event of rows.map(eventOf)) {
    const list = events.get(event.blockHash);
    if (list) list.push(event);
    else events.set(event.blockHash, [event]);
  }
  return events;
};
