import { bytesOfEvent, checkEventBytes, type EventPageQuery, type StoredEvent } from '@shardnode/group-node';
import { type Hash } from '@shardnode/protocol/primitives';
import { copyOfBytes, type MemoryDisk } from './memory-disk.js';

/** The first page of a response is always complete; after so many bytes of fields no further page begins. */
const bytesPerAnswer = 2 ** 20;
/** Debug messages are not among the events of a contract (protocol 04 §6.3). */
const debugIndex = -3;

const copyOf = (event: StoredEvent): StoredEvent => ({ ...event, fields: copyOfBytes(event.fields) });

/** Bytes that a query counts for events. */
export const bytesOfEvents = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { fields }) => sum + fields.length + bytesOfEvent, 0);

/** The events, unless they have more bytes. */
export const withinBytes = (events: readonly StoredEvent[], maxBytes = Number.POSITIVE_INFINITY) => {
  checkEventBytes(bytesOfEvents(events), maxBytes);
  return events;
};

export const eventsOfBlock = (disk: MemoryDisk, hash: Hash): readonly StoredEvent[] =>
  (disk.eventsOfBlock.get(hash) ?? []).map(copyOf);

export const transactionEvents = (disk: MemoryDisk, txId: Hash): readonly StoredEvent[] =>
  (disk.eventBlocks.get(txId) ?? [])
    .filter((hash) => disk.isCanonical(hash))
    .flatMap((hash) => eventsOfBlock(disk, hash).filter((event) => event.txId === txId));

/** See `EventReads.contractEvents`. */
export const contractEvents = (
  disk: MemoryDisk,
  { contractId, start, limit, maxBytes = Number.POSITIVE_INFINITY }: EventPageQuery,
): { readonly events: readonly StoredEvent[]; readonly nextStart: number } => {
  const pages = (disk.eventPages.get(contractId) ?? []).slice(start, start + limit);
  const events: StoredEvent[] = [];
  let [bytes, taken] = [0, 0];
  for (const hash of pages) {
    const own = disk.isCanonical(hash)
      ? eventsOfBlock(disk, hash).filter((event) => event.contractId === contractId)
      : [];
    const more = bytes + bytesOfEvents(own);
    if (taken > 0 && more > bytesPerAnswer) break;
    bytes = more;
    taken += 1;
    events.push(...own.filter(({ eventIndex }) => eventIndex !== debugIndex));
  }
  checkEventBytes(bytes, maxBytes);
  return { events, nextStart: start + taken };
};
