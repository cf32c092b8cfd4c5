import { describe, expect, it } from '@jest/globals';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import { type NatsLink } from './nats-link.js';
import { NatsRequests } from './nats-requests.js';

/** Requests over a link without a connection. @param whenConnected whether it has one within so many milliseconds */
const open = (clock: StoppedClock, whenConnected: (milliseconds: number) => boolean) => {
  const sent: unknown[] = [];
  const link = {
    listen: () => undefined,
    isConnected: false,
    bytesWaiting: 0,
    whenConnected: async (milliseconds: number) => whenConnected(milliseconds),
    send: (subject: unknown) => (sent.push(subject), { isSent: true }),
  };
  const requests = new NatsRequests(link as unknown as NatsLink, '_INBOX.a', clock);
  const responder = { name: 'group-node 1', data: { group: 1 } };
  return { sent, ask: (deadlineMs: number) => requests.ask('a', {}, { deadlineMs, responder }) };
};

describe('a request that waits for the bus', () => {
  it('is not sent when the bus comes back after its deadline', async () => {
    const clock = createStoppedClock();
    // A busy process: its timer fires late, and the bus is reachable again by then.
    const { sent, ask } = open(clock, (milliseconds) => (clock.advance(milliseconds + 20), true));
    await expect(ask(500)).rejects.toMatchObject({ code: 'DeadlineExceeded', data: { group: 1 } });
    expect([sent, clock.pendingTimers]).toEqual([[], 0]);
  });

  it.each([
    [50, 50],
    [10_000, 1_000],
  ])('with a deadline of %i ms is unavailable when the bus is not back within %i', async (deadlineMs, waits) => {
    const waited: number[] = [];
    const { sent, ask } = open(createStoppedClock(), (milliseconds) => (waited.push(milliseconds), false));
    await expect(ask(deadlineMs)).rejects.toMatchObject({ code: 'BusUnavailable', data: { group: 1 } });
    expect([waited, sent]).toEqual([[waits], []]);
  });

  it('is sent when the bus is back, and has the rest of its deadline', async () => {
    const clock = createStoppedClock();
    const { sent, ask } = open(clock, () => (clock.advance(400), true));
    const asked = ask(5_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toHaveLength(1);
    clock.advance(4_599);
    expect(clock.pendingTimers).toBe(1);
    clock.advance(1);
    await expect(asked).rejects.toMatchObject({ code: 'DeadlineExceeded' });
  });
});
