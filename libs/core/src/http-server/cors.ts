import { type FastifyInstance } from 'fastify';
import { errorHeaders } from './error-headers.js';
import { createOriginJudge, type OriginPolicy } from './judge-origin.js';

const allowedMethods = 'GET, POST, PUT, DELETE';
const allowedHeaders = 'Content-Type, X-API-KEY, X-Request-Id';
/** Response headers that scripts of a page may read. */
const exposedHeaders = ['X-Request-Id', ...Object.values(errorHeaders).map(({ name }) => name)].join(', ');

/**
 * Refuses requests of foreign pages before any route, whatever their method (403), and answers preflights of the others. A
 * preflight alone protects nothing: bodies of `text/plain` need none.
 */
export const allowOrigins = (instance: FastifyInstance, policy: OriginPolicy): void => {
  const judge = createOriginJudge(policy);
  instance.addHook('onRequest', (request, reply, done) => {
    const { refusal, headers } = judge(request.raw, request.routeOptions.url ?? request.url);
    reply.headers(headers);
    if (refusal) throw refusal;
    if (headers['access-control-allow-origin'] === undefined) return done();
    reply.header('access-control-expose-headers', exposedHeaders);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return done();
    reply.header('access-control-allow-methods', allowedMethods);
    reply.header('access-control-allow-headers', allowedHeaders);
    reply.header('access-control-max-age', '600');
    void reply.code(204).send();
  });
};
