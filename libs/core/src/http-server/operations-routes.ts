import { type FastifyInstance } from 'fastify';
import { type Registry } from 'prom-client';
import { retryAfterSecondsOfKind } from '../errors/index.js';
import { headersOf } from './error-headers.js';
import { keptAnswer } from './kept-answer.js';
import { type Readiness } from './readiness.js';

/** What machines ask every few seconds, whatever the answer. */
export const operationsRoutes: ReadonlySet<string> = new Set([
  '/health/live',
  '/health/ready',
  '/health/cluster',
  '/metrics',
]);

/** Of what is not ready, in milliseconds: who waits for it hears soon, and nobody asks the checks more often than this. */
const keepNotReadyMs = 25;

/** Which service of which network answers at a port: so whoever looks there does not take another one for it. */
export interface ServiceIdentity {
  /** `group-node-2`. */
  readonly service: string;
  /** The name of the network and cluster on the bus. */
  readonly namespace?: string;
  /** See `BusConnection.busId`. */
  readonly bus?: string | undefined;
  /** Of the settings that all of its services have alike, for comparison. */
  readonly network?: string;
}

/**
 * `/health/live`, `/health/ready` and `/metrics`, alike in every service. They have neither key nor limit, so that who watches
 * over a service always gets through. The first one says who answers. @param keepMs for how long the last two are kept for all who ask; 0: made for each
 */
export const addOperationsRoutes = (
  instance: FastifyInstance,
  readiness: Readiness,
  registry: Registry,
  keepMs: number,
  identity?: () => ServiceIdentity,
): void => {
  const report = keptAnswer(() => readiness.report(), {
    keepMs: ({ ready }) => (ready ? keepMs : Math.min(keepMs, keepNotReadyMs)),
  });
  const metrics = keptAnswer(() => registry.metrics(), { keepMs: () => keepMs });
  instance.get('/health/live', (_request, reply) => reply.send({ live: true, ...identity?.() }));
  instance.get('/health/ready', async (_request, reply) => {
    const found = await report();
    if (found.ready) return reply.send(found);
    return reply
      .code(503)
      .headers(headersOf({ retryAfterSeconds: retryAfterSecondsOfKind.unavailable }))
      .send(found);
  });
  instance.get('/metrics', async (_request, reply) =>
    reply.header('content-type', 'text/plain; charset=UTF-8').send(await metrics()),
  );
};
