import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { createInProcessNetwork, openNatsNetwork, type BusNetwork } from '@shardnode/core/bus';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { startNats, type ServerProcess } from '@shardnode/core/servers';
import { type RunningService } from '@shardnode/core/service';
import { feedSubject, peerPublisher, type FeedEvents, type PeerPublisher } from '@shardnode/messages';
import { genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';
import { create, defaultGatewayChoices } from '../src/index.js';
import { PushServer } from '../src/push/push-server.js';

const ns = 'push';
const host = '127.0.0.1';
const origin = 'https://wallet.example';

/** What a client has heard, and whether it still listens. */
class Listener {
  readonly messages: string[] = [];
  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => this.messages.push((data as Buffer).toString()));
  }

  static async open(port: number, headers: Record<string, string> = {}): Promise<Listener> {
    const listener = new Listener(new WebSocket(`ws://${host}:${port}/events`, { headers }));
    await new Promise<void>((resolve, reject) => listener.socket.once('open', resolve).once('error', reject));
    return listener;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }
}

/** The status of a handshake that is refused. */
const refusal = (port: number, path: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${host}:${port}${path}`, { headers });
    socket.once('unexpected-response', (_request, { statusCode = 0, headers: told }) => {
      // Who may come again is told when.
      expect(told['retry-after']).toBe([429, 503].includes(statusCode) ? '1' : undefined);
      resolve(statusCode);
      socket.terminate();
    });
    socket.once('open', () => reject(new Error('was let in')));
    socket.on('error', () => undefined);
  });

const eventOf = (from: number, to: number): FeedEvents['feed.block'] => {
  const block = genesisBlock(developmentNetwork, { from, to });
  return { from, to, height: 0, block: block.raw };
};
const hashOf = (text: string): string => (JSON.parse(text) as { params: { hash: string } }).params.hash;

const describePush = (transport: string, open: () => Promise<BusNetwork>): void => {
  describe(`blocks that group-nodes tell of, over ${transport}`, () => {
    let network: BusNetwork;
    const gateways: RunningService[] = [];
    const ports: number[] = [];
    let publisher: PeerPublisher;
    let asStranger: (subject: string, payload: unknown) => void;

    beforeAll(async () => {
      network = await open();
      for (let i = 0; i < 2; i++) {
        const gateway = await create(
          {
            ...defaultGatewayChoices,
            ns,
            network: developmentNetwork,
            http: { host, port: 0 },
            push: { port: 0 },
            corsOrigins: [origin],
          },
          { network, clock: systemClock, logger: silentLogger },
        );
        await gateway.start();
        gateways.push(gateway);
        const clique = await fetch(`http://${host}:${gateway.port}/infos/self-clique`);
        const { nodes } = (await clique.json()) as { nodes: { restPort: number; wsPort: number }[] };
        expect(nodes[0]!.restPort).toBe(gateway.port);
        ports.push(nodes[0]!.wsPort);
      }
      const joined = await network.join({ sender: { service: 'group-node', member: 1 }, logger: silentLogger });
      publisher = peerPublisher(joined.bus, ns, 1);
      asStranger = (subject, payload) => joined.bus.publish(subject, payload);
    });
    afterAll(async () => {
      for (const gateway of gateways) await gateway.stop();
      await network.close();
    });

    it('reach every client of every gateway, as the API gives them', async () => {
      const listeners = [
        await Listener.open(ports[0]!),
        await Listener.open(ports[0]!),
        await Listener.open(ports[1]!),
      ];
      publisher.publish('feed.block', eventOf(1, 2));
      for (const { messages } of listeners) {
        await until('the block', () => messages.length > 0);
        const text = messages[0]!;
        expect(text.startsWith('{"method":"block_notify","params":{')).toBe(true);
        expect(text.endsWith('},"jsonrpc":"2.0"}')).toBe(true);
        const block = genesisBlock(developmentNetwork, { from: 1, to: 2 });
        expect(JSON.parse(text)).toMatchObject({
          params: { hash: block.header.hash, height: 0, chainFrom: 1, chainTo: 2, transactions: [], ghostUncles: [] },
        });
      }
      for (const { socket } of listeners) socket.terminate();
    });

    it('come from the group of their chain alone', async () => {
      const listener = await Listener.open(ports[0]!);
      asStranger(feedSubject(ns, { event: 'feed.block', from: 1 }), eventOf(2, 2));
      asStranger(feedSubject(ns, { event: 'feed.block', from: 2 }), eventOf(2, 2));
      asStranger(feedSubject(ns, { event: 'feed.block', from: 1 }), {
        from: 1,
        to: 1,
        height: 0,
        block: new Uint8Array([1, 2, 3]),
      });
      publisher.publish('feed.block', eventOf(1, 3));
      await until('the block', () => listener.messages.length > 0);
      expect(listener.messages.map(hashOf)).toEqual([genesisBlock(developmentNetwork, { from: 1, to: 3 }).header.hash]);
      listener.socket.terminate();
    });

    it('reach who talks without being asked, too', async () => {
      const listener = await Listener.open(ports[0]!);
      listener.socket.send('{"method":"subscribe"}');
      listener.socket.send(Buffer.from([0, 1, 2]));
      publisher.publish('feed.block', eventOf(1, 0));
      await until('the block', () => listener.messages.length > 0);
      expect(listener.isOpen).toBe(true);
      listener.socket.terminate();
    });

    it('are at one path, for pages of allowed origins and for programs', async () => {
      const port = ports[0]!;
      expect(await refusal(port, '/')).toBe(404);
      expect(await refusal(port, '/event')).toBe(404);
      expect(await refusal(port, '/events', { origin: 'https://evil.example' })).toBe(403);
      const allowed = await Listener.open(port, { origin });
      expect(allowed.isOpen).toBe(true);
      allowed.socket.terminate();
      expect((await fetch(`http://${host}:${port}/events`)).status).toBe(426);
      expect((await fetch(`http://${host}:${port}/infos/version`)).status).toBe(404);
    });
  });
};

describePush('the bus of one process', async () => createInProcessNetwork());

describeWithServers(['nats'], 'with a NATS server', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startNats({ folder: mkdtempSync(join(tmpdir(), 'push-nats-')) });
  });
  afterAll(() => server.stop());
  describePush('NATS', async () => openNatsNetwork({ servers: [server.url], logger: silentLogger }));
});

describe('a server of clients that listen', () => {
  const open = async (limits: ConstructorParameters<typeof PushServer>[0]['limits']): Promise<PushServer> => {
    const server = new PushServer({ host, port: 0, origins: ['*'], limits: limits ?? {} }, silentLogger);
    await server.start();
    return server;
  };

  it('ends a client that does not read, and no other', async () => {
    const server = await open({ waitingBytes: 1_000_000 });
    const quick = await Listener.open(server.port);
    const slow = await Listener.open(server.port);
    slow.socket.pause();
    await until('two clients', () => server.clientCount === 2);
    const message = Buffer.alloc(500_000, 'x');
    let sent = 0;
    await until('the slow one is ended', () => {
      // Only as fast as the quick one reads.
      if (quick.messages.length === sent && server.clientCount === 2) {
        server.send(message);
        sent++;
      }
      return server.clientCount === 1;
    });
    await until('the quick one has all', () => quick.messages.length === sent);
    expect(quick.isOpen).toBe(true);
    slow.socket.terminate();
    await server.stop();
  });

  it('sends what is longer than a frame in several, as one message', async () => {
    const server = await open({});
    const listener = await Listener.open(server.port);
    const text = 'block '.repeat(500_000);
    server.send(Buffer.from(text));
    await until('the message', () => listener.messages.length === 1);
    expect(listener.messages[0]).toBe(text);
    listener.socket.terminate();
    await server.stop();
  });

  it('holds few pieces of a message, and ends who sends more', async () => {
    const server = await open({});
    const [patient, crumbling] = [await Listener.open(server.port), await Listener.open(server.port)];
    const sendPieces = ({ socket }: Listener, count: number): void => {
      for (let i = 0; i < count; i++) socket.send('x', { fin: false });
    };
    const ended = new Promise<number>((resolve) => crumbling.socket.once('close', resolve));
    sendPieces(patient, 16);
    sendPieces(crumbling, 17);
    // 1008: against the rules of the server
    expect(await ended).toBe(1_008);
    await until('its place is free', () => server.clientCount === 1);
    expect(patient.isOpen).toBe(true);
    patient.socket.terminate();
    await server.stop();
  });

  it('takes no more clients than its limit', async () => {
    const server = await open({ clients: 1 });
    const listener = await Listener.open(server.port);
    expect(await refusal(server.port, '/events')).toBe(503);
    listener.socket.terminate();
    await until('the place is free', () => server.clientCount === 0);
    const next = await Listener.open(server.port);
    expect(next.isOpen).toBe(true);
    next.socket.terminate();
    await server.stop();
  });

  it('ends clients that do not answer its pings', async () => {
    const server = await open({ pingEvery: 20 });
    let ended = false;
    const socket = createConnection({ host, port: server.port });
    socket.on('error', () => undefined).once('close', () => (ended = true));
    const key = Buffer.alloc(16).toString('base64');
    socket.write(
      `GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    socket.resume();
    await until('the handshake is answered', () => socket.bytesRead > 0);
    await until('the client is ended', () => ended && server.clientCount === 0);
    await server.stop();
  });

  it('gives one address its places alone, and gives them to it again', async () => {
    const server = await open({ clients: 10, clientsOfOne: 2 });
    const own = [await Listener.open(server.port), await Listener.open(server.port)];
    expect(await refusal(server.port, '/events')).toBe(429);
    const other = new WebSocket(`ws://${host}:${server.port}/events`, { localAddress: '127.0.0.2' });
    await new Promise((resolve, reject) => other.once('open', resolve).once('error', reject));
    own[0]!.socket.close();
    await until('the place is free', () => server.clientCount === 2);
    own.push(await Listener.open(server.port));
    expect(await refusal(server.port, '/events')).toBe(429);
    for (const { socket } of own) socket.terminate();
    other.terminate();
    await server.stop();
  });

  it('has no bound for a proxy that it trusts', async () => {
    const limits = { clientsOfOne: 1 };
    const server = new PushServer(
      { host, port: 0, origins: [], trustedProxies: ['127.0.0.0/8'], limits },
      silentLogger,
    );
    await server.start();
    const listeners = [await Listener.open(server.port), await Listener.open(server.port)];
    for (const { socket } of listeners) socket.terminate();
    await server.stop();
  });

  it('says that it goes away, and is gone', async () => {
    const server = await open({});
    const { port } = server;
    const listener = await Listener.open(port);
    const code = new Promise<number>((resolve) => listener.socket.once('close', resolve));
    await server.stop();
    expect(await code).toBe(1_001);
    await expect(
      new Promise((resolve, reject) => request({ host, port, path: '/events' }, resolve).once('error', reject).end()),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is gone although clients that it refused keep their half of the connection', async () => {
    const server = await open({});
    const socket = createConnection({ host, port: server.port, allowHalfOpen: true });
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('error', () => undefined);
    const ended = new Promise((resolve) => socket.once('end', resolve));
    socket.write('GET /others HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    await server.stop();
    socket.destroy();
  });

  it('takes a free port where any will do, and tells of one that is taken', async () => {
    const first = await open({});
    const second = new PushServer({ host, port: first.port, orAnyPort: true, origins: [] }, silentLogger);
    await second.start();
    expect(second.port).not.toBe(first.port);
    const third = new PushServer({ host, port: first.port, origins: [] }, silentLogger);
    await expect(third.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    for (const server of [first, second, third]) await server.stop();
  });
});
