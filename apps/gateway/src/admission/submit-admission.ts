import { finished } from 'node:stream';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type SubmitWindows } from './submit-windows.js';

/** Routes that take signed transactions. */
const submitRoutes: ReadonlySet<string> = new Set(['/transactions/submit', '/multisig/submit']);

/**
 * Refuses a submit with `QueueFull` before its body is read when the groups have no room for it: reading, decoding and finding
 * the group is most of what a submit costs the gateway. Counts the submits that are being read. To be called before the routes
 * are made; runs after the hooks of the whole server, the limit of requests and the check of the key: what they refuse is not
 * counted.
 */
export const admitSubmits = (instance: FastifyInstance, windows: SubmitWindows): void => {
  instance.addHook('onRoute', (route) => {
    if (!submitRoutes.has(route.url)) return;
    const admit = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
      // Until the body has ended, or its client has gone.
      finished(request.raw, windows.admit());
      done();
    };
    route.onRequest = [...[route.onRequest ?? []].flat(), admit];
  });
};
