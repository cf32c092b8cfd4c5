import { type FastifyInstance } from 'fastify';
import { errorHeaders } from './error-headers.js';

const allowedMethods = 'GET, POST, PUT, DELETE';
const allowedHeaders = 'Content-Type, X-API-KEY, X-Request-Id';
/** Response headers that scripts of a page may read. */
const exposedHeaders = ['X-Request-Id', ...Object.values(errorHeaders).map(({ name }) => name)].join(', ');

/** Answers cross-origin requests by an allow-list; `*` means any origin, without credentials (decision 10). */
export const allowOrigins = (instance: FastifyInstance, origins: readonly string[]): void => {
  const any = origins.includes('*');
  instance.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined) return done();
    const allowed = any || origins.includes(origin);
    if (allowed) {
      reply.header('access-control-allow-origin', any ? '*' : origin);
      reply.header('access-control-expose-headers', exposedHeaders);
    }
    if (!any) reply.header('vary', 'Origin');
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return done();
    if (allowed) {
      reply.header('access-control-allow-methods', allowedMethods);
      reply.header('access-control-allow-headers', allowedHeaders);
      reply.header('access-control-max-age', '600');
    }
    void reply.code(allowed ? 204 : 403).send();
  });
};
