import { describe, expect, it } from '@jest/globals';
import { type ServiceError } from '../errors/index.js';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type Logger, silentLogger } from '../observability/index.js';
import { type IncomingMessage } from './bus-context.js';
import { BusServer, mostRequestsAtOnce, type RoutedHandler } from './bus-server.js';

class OpenServer extends BusServer {
  override async listen(): Promise<void> {}
  override async close(): Promise<void> {}
  serve(routed: RoutedHandler): Promise<unknown> {
    const message = { subject: 'a', payload: {}, sender: { service: 'gateway' }, requestId: undefined };
    return this.answer(routed, message as IncomingMessage);
  }
  now(routed: RoutedHandler, payload: unknown, sender = 'gateway', passed?: WeakSet<object>): unknown {
    return this.answerAtOnce(routed, { subject: 'a', payload, sender: { service: sender } }, passed);
  }
  refuse(): void {
    this.countRefused('a', 'schema', undefined, 'it has no b');
  }
}

describe('a member that is flooded', () => {
  it('serves so many requests at once, refuses the next with its number, and goes on when there is room', async () => {
    const server = new OpenServer(
      { sender: { service: 'group-node', member: 2 }, logger: silentLogger },
      createStoppedClock(),
    );
    let asked = 0;
    let end: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (end = resolve));
    const routed = {
      pattern: 'a',
      kind: 'request',
      route: { subjects: ['a'], maySend: () => true },
      handler: () => (asked++, gate),
    } as unknown as RoutedHandler;
    const all = Array.from({ length: mostRequestsAtOnce }, () => server.serve(routed));
    const error = (await server.serve(routed).catch((thrown: unknown) => thrown)) as ServiceError;
    expect(error).toMatchObject({ kind: 'unavailable', code: 'Overloaded', data: { group: 2 } });
    expect([asked, error.detail]).toEqual([mostRequestsAtOnce, expect.stringContaining('group-node-2')]);
    end();
    await Promise.all(all);
    await server.serve(routed);
    expect(asked).toBe(mostRequestsAtOnce + 1);
  });
});

describe('a member that is sent the same wrong message again and again', () => {
  it('says so once a minute of its own clock, with how many it has left out', () => {
    const clock = createStoppedClock();
    const lines: object[] = [];
    const logger = { warn: (fields: object) => void lines.push(fields) } as unknown as Logger;
    const server = new OpenServer({ sender: { service: 'gateway' }, logger }, clock);
    for (let times = 0; times < 3; times++) server.refuse();
    expect(lines).toHaveLength(1);
    clock.advance(60_000);
    server.refuse();
    expect(lines).toMatchObject([{ suppressed: 0 }, { suppressed: 2, pattern: 'a', reason: 'schema' }]);
  });
});

describe('a reply that is there at once', () => {
  const checked: unknown[] = [];
  const routed = {
    pattern: 'a',
    kind: 'request',
    route: {
      subjects: ['a'],
      maySend: ({ service }: IncomingMessage['sender']) => service === 'gateway',
      check: (payload: { readonly n: number }) => (
        checked.push(payload),
        payload.n < 0 ? 'n: expected 0 or more' : undefined
      ),
    },
  } as unknown as RoutedHandler;
  const open = (): OpenServer =>
    new OpenServer({ sender: { service: 'group-node' }, logger: silentLogger }, createStoppedClock());

  it('is given for a good payload of who may ask; all else is asked for', () => {
    const server = open();
    expect(server.now(routed, { n: 1 })).toBeUndefined();
    server.answersAtOnce({
      a: ({ n }: { readonly n: number }) => {
        if (n === 0) throw new Error('a fault');
        return n === 1 ? undefined : { n };
      },
    });
    expect(server.now(routed, { n: 2 })).toEqual({ n: 2 });
    expect(server.now(routed, { n: 2 }, 'explorer')).toBeUndefined();
    for (const n of [-1, 0, 1]) expect(server.now(routed, { n })).toBeUndefined();
  });

  it('is not checked again for the same payload, and never taken for another', () => {
    const server = open();
    server.answersAtOnce({ a: ({ n }: { readonly n: number }) => n });
    const passed = new WeakSet<object>();
    const [good, bad] = [{ n: 3 }, { n: -3 }];
    checked.length = 0;
    for (let times = 0; times < 3; times++) {
      expect(server.now(routed, good, 'gateway', passed)).toBe(3);
      expect(server.now(routed, bad, 'gateway', passed)).toBeUndefined();
      expect(server.now(routed, good, 'stranger', passed)).toBeUndefined();
    }
    expect(checked).toEqual([good, bad, bad, bad]);
  });
});
