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
  refuse(): void {
    this.countRefused('a', 'schema', undefined, 'it has no b');
  }
}

describe('a member under overload', () => {
  it('serves a bounded number of requests, refuses one more and names itself, and continues when one ends', async () => {
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

describe('a member that receives the same wrong message repeatedly', () => {
  it('logs it once a minute of its own clock, with the number of suppressed lines', () => {
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
