import { type Server } from 'node:http';
import { type FastifyInstance } from 'fastify';

const idleSweepMs = 50;

/**
 * Makes a closing server end soon: answers say `connection: close`, connections that fell idle are closed, and after
 * `forceAfterMs` all are. Without it, one kept-alive connection holds the stop for more than a minute.
 */
export const prepareDrain = (
  instance: FastifyInstance,
): {
  readonly isDraining: () => boolean;
  readonly start: (server: Server, forceAfterMs: number) => { readonly end: () => void };
} => {
  let isDraining = false;
  instance.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
  return {
    isDraining: () => isDraining,
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
