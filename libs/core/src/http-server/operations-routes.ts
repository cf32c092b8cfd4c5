import { type FastifyInstance } from 'fastify';
import { type Registry } from 'prom-client';
import { type Readiness } from './readiness.js';

/** What machines ask every few seconds, whatever the answer. */
export const operationsRoutes: ReadonlySet<string> = new Set([
  '/health/live',
  '/health/ready',
  '/health/cluster',
  '/metrics',
]);

/** `/health/live`, `/health/ready` and `/metrics`, alike in every service. */
export const addOperationsRoutes = (instance: FastifyInstance, readiness: Readiness, registry: Registry): void => {
  instance.get('/health/live', (_request, reply) => reply.send({ live: true }));
  instance.get('/health/ready', async (_request, reply) => {
    const report = await readiness.report();
    return reply.code(report.ready ? 200 : 503).send(report);
  });
  instance.get('/metrics', async (_request, reply) =>
    reply.header('content-type', 'text/plain; charset=UTF-8').send(await registry.metrics()),
  );
};
