import { type Server } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { coreError } from '../errors/index.js';

const idleSweepMs = 50;

/** What comes while a server stops. The server's own answer to it would have another form. */
const stopping = coreError('Stopping', 'The server is stopping: ask again');

/**
 * Makes a closing server end soon: answers say `connection: close`, new requests on connections that are open are refused,
 * connections that fell idle are closed, and after `forceAfterMs` all are. Without it, one kept-alive connection holds the stop
 * for more than a minute. To be called after the hooks that give a request its id.
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
