import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type NatsLink } from './nats-link.js';
import { NatsRequests } from './nats-requests.js';

describe('a request that waits for the bus', () => {
  it('is not sent when the bus comes back after its deadline', async () => {
    const clock = createStoppedClock();
    let sent = 0;
    const link = {
      listen: () => undefined,
      isConnected: false,
      bytesWaiting: 0,
      // A busy process: its timer fires late, and the bus is reachable again by then.
      whenConnected: async (milliseconds: number) => (clock.advance(milliseconds + 20), true),
      send: () => (sent++, { isSent: true }),
    };
    const requests = new NatsRequests(link as unknown as NatsLink, '_INBOX.a', clock);
    const asked = requests.ask('a', {}, { deadlineMs: 500, responder: { name: 'group-node 1', data: { group: 1 } } });
    await expect(asked).rejects.toMatchObject({ code: 'DeadlineExceeded', data: { group: 1 } });
    expect([sent, clock.pendingTimers]).toEqual([0, 0]);
  });
});
