import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { clientOfAddress } from './client-address.js';

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

/**
 * Closes connections over the limit as they come. A single client (see `clientOfAddress`) gets half of what there is, so that
 * it cannot keep all others out; proxies that are trusted speak for many and have no such bound.
 */
export const limitConnections = (
  server: Server,
  connections: number,
  isTrustedProxy: (address: string) => boolean,
): void => {
  server.maxConnections = connections;
  const mostOfOne = Math.max(1, Math.floor(connections / 2));
  const byClient = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrustedProxy(address)) return;
    const client = clientOfAddress(address);
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
