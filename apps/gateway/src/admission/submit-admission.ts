import { finished } from 'node:stream';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type SubmitWindows } from './submit-windows.js';

/** Routes of signed transactions. */
const submitRoutes: ReadonlySet<string> = new Set(['/transactions/submit', '/multisig/submit']);

/**
 * Refuses a submit with `QueueFull` before its body is read when the groups have no capacity: reading, decoding and
 * finding the group is most of the gateway's cost of a submit. Counts the submits that are being read. Call it before
 * the routes are registered. It runs after the rate limit, and in any order with the check of the key.
 *
 * @param mayAsk whether a request with this key, or none, is served; others are neither counted nor refused here
 */
export const admitSubmits = (
  instance: FastifyInstance,
  windows: SubmitWindows,
  mayAsk: (key: unknown) => boolean,
): void => {
  instance.addHook('onRoute', (route) => {
    if (!submitRoutes.has(route.url)) return;
    const admit = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
      // Until the body has ended, or its client has closed the connection.
      if (mayAsk(request.headers['x-api-key'])) finished(request.raw, windows.admit());
      done();
    };
    route.onRequest = [...[route.onRequest ?? []].flat(), admit];
  });
};
