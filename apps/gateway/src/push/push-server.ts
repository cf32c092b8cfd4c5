import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { Tally } from '@shardnode/core/concurrency';
import { httpStatusOfKind, retryAfterSecondsOfKind, type ServiceError } from '@shardnode/core/errors';
import { clientOfAddress, createRangeTest } from '@shardnode/core/http-limits';
import {
  createOriginJudge,
  defaultOpenness,
  errorHeaders,
  listenOn,
  type OriginPolicy,
} from '@shardnode/core/http-server';
import { type Logger } from '@shardnode/core/observability';

/** Web pages of its origins may listen; programs send none, and may. */
export interface PushSettings extends OriginPolicy {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Takes a free port when that one is in use. */
  readonly orAnyPort?: boolean;
  /** Addresses or ranges of proxies: they connect many clients, and have no bound of their own. */
  readonly trustedProxies?: readonly string[];
  readonly limits?: Partial<PushLimits>;
}

export interface PushLimits {
  readonly clients: number;
  /** Bound of the clients of one address, so that it cannot take all connections. */
  readonly clientsOfOne: number;
  /** Bytes buffered for a client before the next message; a client with more is dropped. */
  readonly waitingBytes: number;
  /** Milliseconds between two pings; a client that has not answered the last one is dropped. */
  readonly pingEvery: number;
}

const defaultLimits: PushLimits = {
  clients: 1_000,
  clientsOfOne: 100,
  waitingBytes: 8 * 2 ** 20,
  pingEvery: 30_000,
};

/** Largest frame, both directions (protocol 07 §18); a longer message is sent in several. */
const frameBytes = 2 ** 20;
/** Pieces of a client's message, which are held until its last one: each costs far more than its bytes. */
const pieces = { maxFragments: 16, maxBufferedChunks: 1_024 };
const headerBytes = 16_384;
/** Milliseconds. */
const headersWithin = 10_000;
const closeWithin = 1_000;
const goingAway = 1_001;

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0]!.replace(/\/$/, '');

/**
 * Destroys the socket: a client that never ends its half would hold the connection without any timeout of the server.
 * `retryAfterSeconds`: for clients that may retry.
 */
const refuse = (socket: Duplex, status: string, retryAfterSeconds?: number): void => {
  const retry =
    retryAfterSeconds === undefined ? '' : `${errorHeaders.retryAfterSeconds.name}: ${retryAfterSeconds}\r\n`;
  socket.end(`HTTP/1.1 ${status}\r\n${retry}Connection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
};

/** In the form of all errors (protocol 07 §1.9). */
const refuseWith = (socket: Duplex, { kind, code, detail }: ServiceError): void => {
  const status = httpStatusOfKind[kind];
  const body = JSON.stringify({ detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `${errorHeaders.code.name}: ${code}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
};

/**
 * Clients that listen at `/events` (protocol 07 §18). Their messages are ignored. A client that does not read is
 * dropped, so that no messages pile up and no other client waits.
 */
export class PushServer {
  private readonly server: Server;
  private readonly sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: frameBytes,
    ...pieces,
  });
  /** Clients, with whether the last ping was answered. */
  private readonly clients = new Map<WebSocket, boolean>();
  /** By address. */
  private readonly connections = new Tally();
  private readonly limits: PushLimits;
  private readonly isTrustedProxy: (address: string) => boolean;
  private readonly judge: ReturnType<typeof createOriginJudge>;
  private pings: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: PushSettings,
    private readonly logger: Logger,
  ) {
    this.limits = { ...defaultLimits, ...settings.limits };
    this.isTrustedProxy = createRangeTest(settings.trustedProxies ?? []);
    this.judge = createOriginJudge(settings);
    this.server = createServer({ maxHeaderSize: headerBytes, headersTimeout: headersWithin }, (request, response) => {
      const isKnown = pathOf(request) === '/events';
      response
        .writeHead(isKnown ? 426 : 404, { connection: 'close', ...(isKnown ? { upgrade: 'websocket' } : {}) })
        .end();
    });
    this.server.maxConnections = 2 * this.limits.clients;
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  /** Available after the start. */
  get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? this.settings.port;
  }

  get clientCount(): number {
    return this.clients.size;
  }

  async start(): Promise<void> {
    await listenOn(this.settings, (port, host) => this.listen(port, host));
    this.pings = setInterval(() => this.ping(), this.limits.pingEvery);
    this.pings.unref();
  }

  /** Notifies the clients, and ends connections that are still open a second later. */
  async stop(): Promise<void> {
    clearInterval(this.pings);
    const ended = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const client of this.clients.keys()) client.close(goingAway);
    const impatience = setTimeout(() => {
      for (const client of this.clients.keys()) client.terminate();
      this.server.closeAllConnections();
    }, closeWithin);
    // Connections that wait for an upgrade; those of clients no longer belong to the server.
    this.server.closeIdleConnections();
    await ended;
    clearTimeout(impatience);
  }

  /** Sends one text message to every client; nothing is stored for later clients. */
  send(message: Buffer): void {
    for (const client of this.clients.keys()) {
      if (client.readyState !== WebSocket.OPEN) continue;
      if (client.bufferedAmount > this.limits.waitingBytes) this.drop(client, 'does not read');
      else sendInFrames(client, message);
    }
  }

  private async listen(port: number, host: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Errors before the handshake are ignored: the library listens from the handshake on.
    socket.on('error', () => undefined);
    if (pathOf(request) !== '/events') return refuse(socket, '404 Not Found');
    const { refusal } = this.judge(request, defaultOpenness);
    if (refusal) return refuseWith(socket, refusal);
    if (this.clients.size >= this.limits.clients) {
      return refuse(socket, '503 Service Unavailable', retryAfterSecondsOfKind.unavailable);
    }
    const owner = this.ownerOf(request);
    if (owner !== undefined && this.connections.of(owner) >= this.limits.clientsOfOne) {
      return refuse(socket, '429 Too Many Requests', retryAfterSecondsOfKind.throttled);
    }
    this.sockets.handleUpgrade(request, socket, head, (client) => this.add(client, owner));
  }

  /** The owner of a bound; undefined for a proxy. */
  private ownerOf({ socket: { remoteAddress = '' } }: IncomingMessage): string | undefined {
    return this.isTrustedProxy(remoteAddress) ? undefined : clientOfAddress(remoteAddress);
  }

  private add(client: WebSocket, owner: string | undefined): void {
    this.clients.set(client, true);
    if (owner !== undefined) {
      this.connections.add(owner);
      client.once('close', () => this.connections.subtract(owner));
    }
    client.on('pong', () => this.clients.has(client) && this.clients.set(client, true));
    client.on('close', () => this.clients.delete(client));
    client.on('error', (error) => this.logger.debug({ err: error }, 'push: a client failed'));
  }

  private ping(): void {
    for (const [client, answered] of this.clients) {
      if (!answered) this.drop(client, 'does not answer');
      else {
        this.clients.set(client, false);
        client.ping();
      }
    }
  }

  private drop(client: WebSocket, why: string): void {
    this.clients.delete(client);
    client.terminate();
    this.logger.info({ why }, 'push: a client was dropped');
  }
}

/** The bytes are not copied for each client. */
const sendInFrames = (client: WebSocket, message: Buffer): void => {
  for (let start = 0; start < message.length; start += frameBytes) {
    const end = Math.min(start + frameBytes, message.length);
    client.send(message.subarray(start, end), { binary: false, fin: end === message.length });
  }
};
