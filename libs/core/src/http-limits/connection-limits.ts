import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { clientOfAddress } from './client-address.js';
import { Portions } from './portions.js';

/** What one server bears of its clients. Times in milliseconds. */
export interface ConnectionLimits {
  /** From the first byte of a request to its last: slow bodies end here. */
  readonly requestTimeoutMs: number;
  /** From the first byte of a request to the end of its headers. At most `requestTimeoutMs`. */
  readonly headersTimeoutMs: number;
  /** How long an idle connection is kept for the next request. */
  readonly keepAliveTimeoutMs: number;
  /** How long a connection may be silent while an answer is made or taken; longer than any request may take. */
  readonly silenceTimeoutMs: number;
  /** Connections at a time; one address may hold half of them. More are closed at once. */
  readonly connections: number;
}

export const connectionLimits: ConnectionLimits = {
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 65_000,
  silenceTimeoutMs: 120_000,
  connections: 2_000,
};

/** Request line and headers together, in bytes: more is 431. */
export const headersLimitBytes = 16 * 1024;

/** How often connections are looked at for those that are too slow. */
const longestCheckMs = 2_000;

/** The limits as options of the server; those that take a connection count are `limitConnections`. */
export const serverOptionsOf = ({
  requestTimeoutMs,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  silenceTimeoutMs,
}: ConnectionLimits) => ({
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  connectionTimeout: silenceTimeoutMs,
  http: {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    maxHeaderSize: headersLimitBytes,
    connectionsCheckingInterval: Math.min(longestCheckMs, headersTimeoutMs),
  },
});

/** New connections of one client that are set up in a turn of the event loop: together they take less than a millisecond. */
const setUpAtOnce = 8;

/** What a connection says while it waits to be set up; its server hears of it otherwise. */
const unheard = (): void => undefined;

/** Lets the server set up connections in portions: hundreds in one turn would hold up all other clients. */
const setUpInPortions = (server: Server, clientOf: (socket: Socket) => string): void => {
  const portions = new Portions(setUpAtOnce);
  const setUps = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    socket.on('error', unheard);
    portions.add(clientOf(socket), () => {
      socket.off('error', unheard);
      if (!socket.destroyed) for (const setUp of setUps) setUp.call(server, socket);
    });
  });
};

/**
 * Closes connections over the limit as they come, and has the others set up in portions. A single client (see
 * `clientOfAddress`) gets half of what there is, so that it cannot keep all others out; proxies that are trusted speak for many
 * and have no such bound.
 */
export const limitConnections = (
  server: Server,
  connections: number,
  isTrustedProxy: (address: string) => boolean,
): void => {
  server.maxConnections = connections;
  const mostOfOne = Math.max(1, Math.floor(connections / 2));
  const byClient = new Map<string, number>();
  const clientOf = ({ remoteAddress }: Socket): string => clientOfAddress(remoteAddress);
  setUpInPortions(server, clientOf);
  server.prependListener('connection', (socket: Socket) => {
    if (isTrustedProxy(socket.remoteAddress ?? '')) return;
    const client = clientOf(socket);
    const open = (byClient.get(client) ?? 0) + 1;
    if (open > mostOfOne) return void socket.destroy();
    byClient.set(client, open);
    socket.once('close', () => {
      const left = byClient.get(client)! - 1;
      if (left > 0) byClient.set(client, left);
      else byClient.delete(client);
    });
  });
};
