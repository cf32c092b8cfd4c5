import { finished } from 'node:stream';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type SubmitQueues } from './submit-queues.js';

/** Routes of signed transactions; each group has a queue of them (`SubmitQueues`). */
export const submitRoutes: ReadonlySet<string> = new Set(['/transactions/submit', '/multisig/submit']);

/**
 * Refuses a submit with `QueueFull` before its body is read when the groups have no room: reading, decoding and
 * finding the group is most of the gateway's cost of a submit. Counts the submits that are being read. Call it before
 * the routes are registered. It runs after the hooks of the whole server, the rate limit and the check of the key: it does
 * not count a request that these refuse.
 */
export const admitSubmits = (instance: FastifyInstance, queues: SubmitQueues): void => {
  instance.addHook('onRoute', (route) => {
    if (!submitRoutes.has(route.url)) return;
    const admit = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
      // Until the body has ended, or its client has closed the connection.
      finished(request.raw, queues.admit());
      done();
    };
    route.onRequest = [...[route.onRequest ?? []].flat(), admit];
  });
};
