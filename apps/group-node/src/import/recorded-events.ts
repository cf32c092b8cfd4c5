import { estimatedSizeOf } from '@shardnode/protocol/script';
import { type LogEntry } from '@shardnode/protocol/state';

/**
 * Bounds of the recorded events of a block (policy, not law: events decide nothing). Scripts share values in memory, so
 * that a block can log far more bytes than its gas pays for. An event within `smallBytes` is always recorded, because
 * gas bounds the number of events.
 */
export const eventLimits = { blockBytes: 16 * 2 ** 20, smallBytes: 256 } as const;

/** The events to record, in order: all small ones, and large ones up to the limit of a block. */
export const recordedEvents = (events: readonly LogEntry[]): readonly LogEntry[] => {
  let left: number = eventLimits.blockBytes;
  return events.filter(({ fields }) => {
    const size = estimatedSizeOf(fields);
    if (size <= eventLimits.smallBytes) return true;
    if (size > left) return false;
    left -= size;
    return true;
  });
};
