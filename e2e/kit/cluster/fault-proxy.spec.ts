import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../wait-for.js';
import { FaultProxy, requireHit } from './fault-proxy.js';

/** What one end of a connection has seen. */
interface Seen {
  readonly socket: Socket;
  readonly text: () => string;
  readonly isClosed: () => boolean;
}

const watch = (socket: Socket): Seen => {
  let text = '';
  let isClosed = false;
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  return { socket, text: () => text, isClosed: () => isClosed };
};

describe('a fault proxy', () => {
  let server: Server;
  let proxy: FaultProxy;
  let accepted: Seen[];
  beforeEach(async () => {
    accepted = [];
    server = createServer((socket) => {
      accepted.push(watch(socket));
      socket.on('data', (bytes) => socket.write(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = await FaultProxy.open('test to echo', (server.address() as AddressInfo).port, 'redis');
  });
  afterEach(async () => {
    await proxy.close();
    accepted.forEach(({ socket }) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  });

  const client = (): Seen => watch(connect(proxy.port, '127.0.0.1'));
  const echoes = (seen: Seen, text: string): Promise<boolean> =>
    waitFor(`the echo of ${text}`, () => seen.text() === text, { timeoutMs: 5_000, everyMs: 2 });
  const closes = (seen: Seen): Promise<boolean> =>
    waitFor('the end of the connection', () => seen.isClosed(), { timeoutMs: 5_000, everyMs: 2 });

  it('passes everything on, and ends with either side', async () => {
    const first = client();
    first.socket.write('hello');
    await echoes(first, 'hello');
    first.socket.end();
    await closes(first);
    const second = client();
    second.socket.write('x');
    await echoes(second, 'x');
    accepted[1]!.socket.resetAndDestroy();
    await closes(second);
    await waitFor('no connection to be left', () => proxy.connections === 0);
    expect(proxy.hits).toMatchObject({ connections: 2, cut: 0 });
  });

  it('carries many bytes', async () => {
    const many = randomBytes(20_000_000);
    const received = createHash('sha256');
    let length = 0;
    const { socket } = client();
    socket.on('data', (bytes: Buffer) => {
      received.update(bytes);
      length += bytes.length;
    });
    socket.end(many);
    await waitFor('all bytes', () => length === many.length);
    expect(received.digest('hex')).toBe(createHash('sha256').update(many).digest('hex'));
  });

  it('cuts: connections end, new ones are refused until it heals', async () => {
    const first = client();
    first.socket.write('a');
    await echoes(first, 'a');
    proxy.cut();
    await closes(first);
    await waitFor('the server to learn it', () => accepted[0]!.isClosed());
    const refused = connect(proxy.port, '127.0.0.1');
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => refused.once('error', resolve));
    expect(error.code).toBe('ECONNREFUSED');
    await proxy.heal();
    const second = client();
    second.socket.write('b');
    await echoes(second, 'b');
    expect(requireHit(proxy, 'cut')).toBe(1);
  });

  it('is a black hole: nothing arrives, not even an end, and all of it does afterwards', async () => {
    const first = client();
    first.socket.write('1');
    await echoes(first, '1');
    proxy.blackhole();
    first.socket.write('2');
    const leaving = client();
    leaving.socket.end('last words');
    accepted[0]!.socket.resetAndDestroy();
    const late = client();
    late.socket.write('3');
    await pause(100);
    expect(first.text()).toBe('1');
    expect(first.isClosed()).toBe(false);
    expect(accepted).toHaveLength(1);
    expect(late.socket.readyState).toBe('open');
    await proxy.heal();
    await closes(first);
    await echoes(late, '3');
    await waitFor('the last words', () => accepted.some(({ text }) => text() === 'last words'));
    requireHit(proxy, 'blackholed');
  });

  it('delays each direction, in order, without becoming slow', async () => {
    const seen = client();
    seen.socket.write('0');
    await echoes(seen, '0');
    proxy.delay(100);
    const began = performance.now();
    for (let i = 1; i <= 20; i++) {
      seen.socket.write(String(i % 10));
      await pause(2);
    }
    await echoes(seen, '012345678901234567890');
    const took = performance.now() - began;
    expect(took).toBeGreaterThanOrEqual(198);
    expect(took).toBeLessThan(1_500);
    requireHit(proxy, 'delayed');
  });

  it.each([
    ['client', '12345', ''],
    ['server', '1234567890', '12345'],
  ] as const)('closes a connection after exactly so many bytes of the %s', async (direction, arrived, echoed) => {
    proxy.closeAfter(5, direction);
    const first = client();
    first.socket.write('1234567890');
    await closes(first);
    await waitFor('what was to arrive', () => accepted[0]!.text() === arrived);
    if (direction === 'server') expect(first.text()).toBe(echoed);
    const second = client();
    second.socket.write('1234567890');
    await echoes(second, '1234567890');
    expect(proxy.hits.closedAfter).toBe(1);
  });

  it('a client of a server that is gone learns it', async () => {
    await new Promise((resolve) => server.close(resolve));
    await closes(client());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  it('a fault that was never hit fails', () => {
    proxy.delay(10);
    expect(() => requireHit(proxy, 'delayed')).toThrow('the fault "delayed" was never hit at test to echo');
    expect(() => proxy.lose(1)).toThrow('test to echo speaks redis, not nats');
  });
});
