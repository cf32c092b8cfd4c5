import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { isRequestId, newRequestId } from '../observability/index.js';
import { allowOrigins } from './cors.js';
import { prepareDrain } from './drain.js';
import { ErrorFilter, withRequestId } from './http-error-filter.js';
import { parseJsonBody } from './json-body.js';
import { addOperationsRoutes, type ReadinessCheck } from './operations-routes.js';
import { addRequestHooks } from './request-hooks.js';
import { RouteTable } from './route-table.js';
import { bodyLimitBytes, type ErrorBody, type HttpPorts, type HttpSettings } from './settings.js';

export interface HttpEdge {
  readonly adapter: FastifyAdapter;
  readonly errorFilter: ErrorFilter;
  /** Closes gracefully: what is in flight is answered, for `forceAfterMs` at most. */
  readonly close: (close: () => Promise<void>, forceAfterMs: number) => Promise<void>;
}

/** Our schemas are not the server's: its own compilers, a tenth of a second to load, have nothing to do. */
const noSchemas = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

const createAdapter = (bodyLimit: number, errorBody: ErrorBody): FastifyAdapter =>
  new FastifyAdapter({
    bodyLimit,
    exposeHeadRoutes: false,
    schemaController: noSchemas,
    // Addresses of multisig lockups have hundreds of characters.
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 8_192 },
    genReqId: (request: { headers: Record<string, unknown> }) => {
      const given = request.headers['x-request-id'];
      return isRequestId(given) ? given : newRequestId();
    },
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      // Before any hook: bytes, because the server would add a charset to a text.
      const body = Buffer.from(JSON.stringify(errorBody({ detail: 'The path is malformed' }, request.id)));
      void reply.code(400).header('content-type', 'application/json').send(body);
    },
  });

const readBodiesAsJson = (instance: FastifyInstance): void => {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as string));
    } catch (error) {
      done(error as Error);
    }
  });
};

/** Fastify as every service uses it: limits, body reading, hooks, operations routes, and the filter that answers errors. */
export const createHttpEdge = (
  settings: HttpSettings,
  ports: HttpPorts,
  readiness: readonly ReadinessCheck[] = [],
): HttpEdge => {
  const bodyLimit = settings.bodyLimit ?? bodyLimitBytes;
  const errorBody = settings.errorBody ?? withRequestId;
  const adapter = createAdapter(bodyLimit, errorBody);
  const instance = adapter.getInstance() as unknown as FastifyInstance;
  const routes = new RouteTable();
  instance.addHook('onRoute', (route) => routes.add(route));
  readBodiesAsJson(instance);
  addRequestHooks(instance, ports, settings.accessLog ?? true);
  allowOrigins(instance, settings.corsOrigins ?? []);
  addOperationsRoutes(instance, readiness, ports.metrics.registry);
  const drain = prepareDrain(instance);
  const close = async (closeApplication: () => Promise<void>, forceAfterMs: number): Promise<void> => {
    const draining = drain.start(instance.server, forceAfterMs);
    try {
      await closeApplication();
    } finally {
      draining.end();
    }
  };
  return { adapter, errorFilter: new ErrorFilter(ports.logger, routes, bodyLimit, errorBody), close };
};
