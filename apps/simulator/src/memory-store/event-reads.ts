import { type EventPageQuery, type StoredEvent } from '@shardnode/group-node';
import { type Hash } from '@shardnode/protocol/primitives';
import { copyOfBytes, type MemoryDisk } from './memory-disk.js';

/** The first page of a response is always complete; after so many bytes of fields no further page begins. */
const bytesPerAnswer = 2 ** 20;
/** Bytes of the rest of a row. */
const bytesPerEvent = 100;
/** Debug messages are not among the events of a contract (protocol 04 §6.3). */
const debugIndex = -3;

const copyOf = (event: StoredEvent): StoredEvent => ({ ...event, fields: copyOfBytes(event.fields) });

export const eventsOfBlock = (disk: MemoryDisk, hash: Hash): readonly StoredEvent[] =>
  (disk.eventsOfBlock.get(hash) ?? []).map(copyOf);

export const transactionEvents = (disk: MemoryDisk, txId: Hash): readonly StoredEvent[] =>
  (disk.eventBlocks.get(txId) ?? [])
    .filter((hash) => disk.isCanonical(hash))
    .flatMap((hash) => eventsOfBlock(disk, hash).filter((event) => event.txId === txId));

/** See `EventReads.contractEvents`. */
export const contractEvents = (
  disk: MemoryDisk,
  { contractId, start, limit }: EventPageQuery,
): { readonly events: readonly StoredEvent[]; readonly nextStart: number } => {
  const pages = (disk.eventPages.get(contractId) ?? []).slice(start, start + limit);
  const events: StoredEvent[] = [];
  let [bytes, taken] = [0, 0];
  for (const hash of pages) {
    const own = disk.isCanonical(hash)
      ? eventsOfBlock(disk, hash).filter((event) => event.contractId === contractId)
      : [];
    bytes += own.reduce((sum, { fields }) => sum + fields.length + bytesPerEvent, 0);
    if (taken > 0 && bytes > bytesPerAnswer) break;
    taken += 1;
    events.push(...own.filter(({ eventIndex }) => eventIndex !== debugIndex));
  }
  return { events, nextStart: start + taken };
};
