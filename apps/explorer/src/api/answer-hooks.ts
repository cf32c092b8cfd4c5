import { createHash } from 'node:crypto';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { operationsRoutes } from '@shardnode/core/http-server';
import { acceptedEncoding, encodedBytes, varyBy } from '@shardnode/http/docs';
import { type IndexLag } from './index-lag.js';

/** Bytes from which an answer is compressed. */
const smallestCompressed = 1_024;
/** Age of the newest block from which on answers name it, in milliseconds (protocol 08 §4.15). */
const namedLagMs = 120_000;

/** Seconds for which answers may be cached, by the beginnings of their paths (protocol 08 §4.14). */
const maxAges = [
  ['/charts/last-hour', 1],
  ['/charts/', 60],
  ['/infos/supply/now', 10],
  ['/infos/supply', 60],
  ['/', 1],
] as const;
const cacheControlOf = (route: string): string =>
  `public, max-age=${maxAges.find(([beginning]) => route.startsWith(beginning))![1]}`;
/** Of an answer that never changes, set where it is made. */
export const immutableAnswer = 'public, max-age=31536000, immutable';

const tagOf = (text: string): string => `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/** Sets `ETag` and a short `max-age` on read responses. */
const tagAnswer = ({ headers, routeOptions }: FastifyRequest, reply: FastifyReply, text: string): string => {
  const etag = tagOf(text);
  reply.header('etag', etag);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', cacheControlOf(routeOptions.url ?? '/'));
  if (headers['if-none-match'] !== etag) return text;
  reply.code(304);
  return '';
};

const compressed = async (request: FastifyRequest, reply: FastifyReply, text: string): Promise<string | Buffer> => {
  if (Buffer.byteLength(text) < smallestCompressed) return text;
  const encoding = acceptedEncoding(request.headers['accept-encoding'] as string | undefined);
  varyBy(reply, 'accept-encoding');
  if (encoding === 'identity') return text;
  reply.header('content-encoding', encoding).removeHeader('content-length');
  return encodedBytes(encoding, Buffer.from(text));
};

/** Tags the answers of operations, compresses them, and says when the index is old (protocol 08 §4.14, §4.15, §5.1). */
export const addAnswerHooks = (instance: FastifyInstance, lagOf: IndexLag): void => {
  instance.addHook('onSend', async (request, reply, payload) => {
    const isMonitoring = operationsRoutes.has(request.routeOptions.url ?? '');
    if (typeof payload !== 'string' || reply.statusCode !== 200 || isMonitoring) return payload;
    const lag = await lagOf();
    if (lag !== undefined && lag > namedLagMs) reply.header('x-explorer-lag-ms', lag);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const text = isRead ? tagAnswer(request, reply, payload) : payload;
    return compressed(request, reply, text);
  });
};
