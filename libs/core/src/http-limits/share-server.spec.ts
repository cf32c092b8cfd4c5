import { Agent, createServer, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until as untilTrue } from '@shardnode/testing/waiting';
import { countNoLonger, shareServer, tooManyWaitingBodies } from './share-server.js';
import { createRangeTest } from './trusted-proxies.js';

const [honest, hostile] = ['127.0.0.1', '127.0.0.2'];

describe('a server that its clients share', () => {
  let server: Server;
  let port: number;
  /** Requests begun and not yet answered, in order. */
  let pending: { readonly path: string; readonly response: ServerResponse }[];
  /** Paths of all requests that have begun. */
  let begun: string[];
  let agent: Agent;

  const start = async (proxies: readonly string[] = []): Promise<void> => {
    [pending, begun] = [[], []];
    server = createServer(({ url }, response) => {
      pending.push({ path: url!, response });
      begun.push(url!);
    });
    shareServer(server, createRangeTest(proxies), ({ url }) => (url === '/metrics' ? 'monitoring' : 'usual'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
    agent = new Agent({ keepAlive: true });
  };
  beforeEach(() => start());
  afterEach(async () => {
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const ask = (localAddress: string, path: string, headers: Record<string, string> = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ host: '127.0.0.1', port, path, localAddress, agent, headers }, (incoming) => {
        incoming.resume().on('end', () => resolve(incoming.statusCode!));
      });
      sent.on('error', reject).end();
    });
  const until = (condition: () => boolean): Promise<void> => untilTrue(String(condition), condition);
  const answerAll = async (answers: Promise<unknown>): Promise<void> => {
    let isOver = false;
    void answers.finally(() => (isOver = true));
    while (!isOver) {
      for (const { response } of pending.splice(0)) response.end();
      await pause(1);
    }
  };
  const settled = (): Promise<void> => pause(100);

  it('begins 8 requests of one client at a time while another one is there, and all in the end', async () => {
    const first = ask(honest, '/first');
    await until(() => pending.length === 1);
    const many = Promise.all(Array.from({ length: 60 }, (_, i) => ask(hostile, `/${i}`)));
    await until(() => pending.length === 9);
    await settled();
    expect(pending).toHaveLength(9);
    const second = ask(honest, '/second');
    await until(() => pending.some(({ path }) => path === '/second'));
    const all = Promise.all([first, many, second]);
    await answerAll(all);
    expect((await all).flat()).toEqual(Array.from({ length: 62 }, () => 200));
  });

  it('counts a request no longer whose answer goes on for as long as its client listens', async () => {
    const first = ask(honest, '/first');
    await until(() => pending.length === 1);
    const many = Promise.all(Array.from({ length: 20 }, (_, i) => ask(hostile, `/${i}`)));
    await until(() => pending.length === 9);
    for (const { path, response } of [...pending]) if (path !== '/first') countNoLonger(response);
    await until(() => pending.length === 17);
    await answerAll(Promise.all([first, many]));
  });

  it('requests sent ahead on one connection wait, too, and are answered in order', async () => {
    const first = ask(honest, '/first');
    await until(() => pending.length === 1);
    const socket = connect({ host: '127.0.0.1', port, localAddress: hostile });
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    socket.write('GET /ahead HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(40));
    await until(() => pending.length === 9);
    await settled();
    expect(pending).toHaveLength(9);
    const answered = (): number => text.split('HTTP/1.1 200').length - 1;
    await answerAll(until(() => answered() === 40));
    socket.destroy();
    await first;
  });

  it('does not begin a request whose client has left, and goes on with others of the client', async () => {
    const first = ask(honest, '/first');
    await until(() => pending.length === 1);
    const held = Promise.all(Array.from({ length: 8 }, (_, i) => ask(hostile, `/held/${i}`)));
    await until(() => pending.length === 9);
    const sockets = Array.from({ length: 20 }, () => connect({ host: '127.0.0.1', port, localAddress: hostile }));
    for (const socket of sockets) socket.write('GET /left HTTP/1.1\r\nHost: a\r\n\r\n');
    await settled();
    for (const socket of sockets) socket.destroy();
    await settled();
    const last = ask(hostile, '/last');
    await answerAll(Promise.all([first, held, last]));
    expect(begun).toContain('/last');
    expect(begun).not.toContain('/left');
  });

  it('takes the client of a trusted proxy from its header', async () => {
    server.close();
    await start(['127.0.0.0/8']);
    const first = ask(honest, '/first', { 'x-forwarded-for': '192.0.2.1' });
    await until(() => pending.length === 1);
    const all = Promise.all([
      ...Array.from({ length: 20 }, () => ask(honest, '/a', { 'x-forwarded-for': '192.0.2.7, 192.0.2.2' })),
      ...Array.from({ length: 4 }, () => ask(honest, '/b', { 'x-forwarded-for': '192.0.2.2, 192.0.2.3' })),
      ...Array.from({ length: 6 }, () => ask(honest, '/c', { 'x-forwarded-for': '192.0.2.3, , 127.0.0.9' })),
    ]);
    await until(() => pending.length === 17);
    await settled();
    expect(pending).toHaveLength(17);
    await answerAll(Promise.all([first, all]));
  });

  it('begins requests of monitoring at once, and does not count who sends them', async () => {
    const watching = ask(honest, '/metrics');
    await until(() => pending.length === 1);
    const all = Promise.all(Array.from({ length: 20 }, (_, i) => ask(hostile, `/${i}`)));
    await until(() => pending.length === 21);
    await answerAll(Promise.all([watching, all]));
  });

  it('begins few requests of monitoring of one client in a tick, and all in the end', async () => {
    const sent = 20;
    const begunAtOnce = new Promise<number>((resolve) => {
      let arrived = 0;
      server.on('request', () => {
        if (++arrived === sent) resolve(begun.length);
      });
    });
    const socket = connect({ port, host: '127.0.0.1', localAddress: hostile });
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(sent));
    expect(await begunAtOnce).toBe(4);
    await until(() => begun.length === sent);
    socket.destroy();
  });

  it('holds 8 bodies without a length of one client, tells the others to come again, and holds 8 more then', async () => {
    let refused = 0;
    server.on('clientError', ({ code }: Error & { code?: string }, socket) => {
      if (code === tooManyWaitingBodies) refused += 1;
      socket.destroy();
    });
    const first = ask(honest, '/first');
    await until(() => pending.length === 1);
    for (let round = 1; round <= 2; round++) {
      const sockets = Array.from({ length: 30 }, () => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: hostile }).on('error', () => undefined);
        socket.write('POST /body HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n');
        return socket;
      });
      // 8 are in flight, 8 wait.
      await until(() => refused === round * 14);
      const hasBegun = until(() => begun.length === 1 + round * 16);
      await answerAll(hasBegun);
      for (const { response } of pending.splice(0)) response.end();
      for (const socket of sockets) socket.destroy();
    }
    await first;
    expect(refused).toBe(28);
  });
});
