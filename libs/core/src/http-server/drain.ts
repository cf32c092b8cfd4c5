import { type Server } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { coreError } from '../errors/index.js';

const idleSweepMs = 50;

/** Error for requests during shutdown. The server's own response would have another form. */
const stopping = coreError('Stopping', 'The server is stopping: ask again');

/**
 * Limits the duration of a shutdown. Responses say `connection: close`, new requests on open connections are refused,
 * idle connections are closed, and after `forceAfterMs` all connections are. Without it, one keep-alive connection
 * delays the stop for more than a minute. Call it after the hooks that give a request its id.
 */
export const prepareDrain = (
  instance: FastifyInstance,
): {
  readonly start: (server: Server, forceAfterMs: number) => { readonly end: () => void };
} => {
  let isDraining = false;
  instance.addHook('onRequest', (_request, _reply, done) => {
    if (isDraining) throw stopping;
    done();
  });
  instance.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
  return {
    start: (server, forceAfterMs) => {
      isDraining = true;
      const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
      const force = setTimeout(() => server.closeAllConnections(), forceAfterMs);
      return {
        end: () => {
          clearInterval(sweep);
          clearTimeout(force);
        },
      };
    },
  };
};
