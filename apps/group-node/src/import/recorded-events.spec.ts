import { describe, expect, it } from '@jest/globals';
import { type LogEntry } from '@shardnode/protocol/state';
import { eventLimits, recordedEvents } from './recorded-events.js';

const event = (...lengths: readonly number[]): LogEntry => ({
  contractId: '11'.repeat(32),
  transactionId: '22'.repeat(32),
  eventIndex: 0,
  fields: lengths.map((length) => ({ type: 'ByteVec', value: new Uint8Array(length) })),
});

/** All large events of a block together: 16 MiB. */
const blockBytes = 16 * 2 ** 20;

const placesKept = (events: readonly LogEntry[]): number[] => recordedEvents(events).map((one) => events.indexOf(one));

describe('the recorded events of a block', () => {
  it('are all small ones, whatever their number', () => {
    const small = Array.from({ length: 100_000 }, () => event(eventLimits.smallBytes));
    expect(recordedEvents(small)).toEqual(small);
  });

  it('are large ones up to the limit, and small ones after it', () => {
    const half = event(blockBytes / 4, blockBytes / 4);
    const [first, second, third, small] = [{ ...half }, { ...half }, { ...half }, event(3)];
    expect(placesKept([first, second, third, small])).toEqual([0, 1, 3]);
    expect(placesKept([event(blockBytes + 1), first, small])).toEqual([1, 2]);
    expect(placesKept([])).toEqual([]);
  });
});
