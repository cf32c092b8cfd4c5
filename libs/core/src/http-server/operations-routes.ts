import { type FastifyInstance } from 'fastify';
import { type Registry } from 'prom-client';

/** Part of what "ready" means. */
export interface ReadinessCheck {
  /** `database`, `caught up`. */
  readonly name: string;
  /** Why it is not ready, for people; undefined when it is. A throw counts as not ready. */
  notReadyBecause(): string | undefined | Promise<string | undefined>;
}

const reasonOf = async (check: ReadinessCheck): Promise<string | undefined> => {
  try {
    const reason = await check.notReadyBecause();
    return reason === undefined ? undefined : `${check.name}: ${reason}`;
  } catch {
    return `${check.name}: the check failed`;
  }
};

/** What machines ask every few seconds, whatever the answer. */
export const operationsRoutes: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

/** `/health/live`, `/health/ready` and `/metrics`, alike in every service. */
export const addOperationsRoutes = (
  instance: FastifyInstance,
  checks: readonly ReadinessCheck[],
  registry: Registry,
): void => {
  instance.get('/health/live', (_request, reply) => reply.send({ live: true }));
  instance.get('/health/ready', async (_request, reply) => {
    const reasons = (await Promise.all(checks.map(reasonOf))).filter((reason) => reason !== undefined);
    return reply.code(reasons.length === 0 ? 200 : 503).send({ ready: reasons.length === 0, reasons });
  });
  instance.get('/metrics', async (_request, reply) =>
    reply.header('content-type', 'text/plain; charset=UTF-8').send(await registry.metrics()),
  );
};
