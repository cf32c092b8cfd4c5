import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { Tally } from '../concurrency/index.js';
import { clientOfAddress } from './client-address.js';
import { Portions } from './portions.js';

/** Limits of one server on its clients. Times in milliseconds. */
export interface ConnectionLimits {
  /** From the first byte of a request to its last: slow bodies end here. */
  readonly requestTimeoutMs: number;
  /** From the first byte of a request to the end of its headers. At most `requestTimeoutMs`. */
  readonly headersTimeoutMs: number;
  /** Timeout of an idle connection between two requests. */
  readonly keepAliveTimeoutMs: number;
  /** Timeout of a silent connection during a response; longer than any request may take. */
  readonly silenceTimeoutMs: number;
  /** Maximum number of connections; one client may hold half of them. More are closed at once. */
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

/** Longest interval between two checks for slow connections, in milliseconds. */
const longestCheckMs = 2_000;

/** The limits as options of the server; `limitConnections` enforces the connection count. */
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

/** New connections of one client that are set up per event-loop tick: together they take less than a millisecond. */
const setUpAtOnce = 8;

/** Ignores errors of a connection that waits to be set up; the server gets them otherwise. */
const unheard = (): void => undefined;

/** Lets the server set up connections in portions: hundreds in one event-loop tick would delay all other clients. */
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
 * Closes new connections over the limit, and sets up the others in portions. A single client (see `clientOfAddress`)
 * gets half of the connections, so that it cannot exclude all others. Trusted proxies act for many clients and have no
 * such bound.
 */
export const limitConnections = (
  server: Server,
  connections: number,
  isTrustedProxy: (address: string) => boolean,
): void => {
  server.maxConnections = connections;
  const mostOfOne = Math.max(1, Math.floor(connections / 2));
  const open = new Tally();
  const clientOf = ({ remoteAddress }: Socket): string => clientOfAddress(remoteAddress);
  setUpInPortions(server, clientOf);
  server.prependListener('connection', (socket: Socket) => {
    if (isTrustedProxy(socket.remoteAddress ?? '')) return;
    const client = clientOf(socket);
    if (open.of(client) >= mostOfOne) return void socket.destroy();
    open.add(client);
    socket.once('close', () => open.subtract(client));
  });
};
