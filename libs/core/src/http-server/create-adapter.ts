import { type Readable } from 'node:stream';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { requestIdOf } from '../observability/index.js';
import { BodyBudget } from './body-budget.js';
import { answerBrokenRequest } from './broken-requests.js';
import {
  clientOfAddress,
  connectionLimits,
  createRangeTest,
  limitConnections,
  serverOptionsOf,
  shareServer,
} from '../http-limits/index.js';
import { allowOrigins } from './cors.js';
import { isOperationsRoute, operationsRoutes } from './operations.controller.js';
import { defaultOpenness, type RouteOpenness } from './judge-origin.js';
import { prepareDrain } from './drain.js';
import { answerOfMalformedPath, ErrorFilter, withRequestId } from './http-error-filter.js';
import { parseJsonBody } from './json-body.js';
import { JsonBounds } from './json-bounds.js';
import { readBody } from './read-body.js';
import { addRequestHooks } from './request-hooks.js';
import { RouteTable } from './route-table.js';
import { addTraceHooks } from './trace-hooks.js';
import { leaveUnreadBodies } from './unread-bodies.js';
import { bodyLimitBytes, type ErrorBody, type HttpPorts, type HttpSettings } from './settings.js';

export interface HttpEdge {
  readonly adapter: FastifyAdapter;
  readonly errorFilter: ErrorFilter;
  /** Closes gracefully: drains requests in flight for at most `forceAfterMs`. */
  readonly close: (close: () => Promise<void>, forceAfterMs: number) => Promise<void>;
}

/** The server's own schema compilers are unused and take a tenth of a second to load. */
const noSchemas = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

const createAdapter = (options: FastifyServerOptions, errorBody: ErrorBody): FastifyAdapter =>
  new FastifyAdapter({
    ...options,
    clientErrorHandler: answerBrokenRequest(errorBody),
    exposeHeadRoutes: true,
    // Answered by `prepareDrain`.
    return503OnClosing: false,
    schemaController: noSchemas,
    // Addresses of multisig lockups have hundreds of characters.
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 8_192 },
    genReqId: (request: { headers: Record<string, unknown> }) => requestIdOf(request.headers['x-request-id']),
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      // Runs before any hook. Bytes, because the server would add a charset to a text.
      const { status, headers, body: said } = answerOfMalformedPath();
      const body = Buffer.from(JSON.stringify(errorBody(said, request.id)));
      reply.header('x-request-id', request.id);
      reply.header('x-content-type-options', 'nosniff');
      void reply.code(status).headers(headers).header('content-type', 'application/json').send(body);
    },
  });

const readBodiesAsJson = (instance: FastifyInstance, limit: number, budget: BodyBudget): void => {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', async ({ ip, headers }: FastifyRequest, stream: Readable) => {
    const bounds = new JsonBounds();
    const incoming = {
      stream,
      client: clientOfAddress(ip),
      limit,
      announced: headers['content-length'],
      look: (part: Uint8Array) => bounds.add(part),
    };
    return parseJsonBody(await readBody(incoming, budget));
  });
};

/** Fastify for every service: limits, body reading, hooks, and the error filter. */
export const createHttpEdge = (settings: HttpSettings, ports: HttpPorts): HttpEdge => {
  const bodyLimit = settings.bodyLimit ?? bodyLimitBytes;
  const errorBody = settings.errorBody ?? withRequestId;
  const limits = { ...connectionLimits, ...settings.connections };
  const proxies = settings.trustedProxies ?? [];
  const isTrustedProxy = createRangeTest(proxies);
  const trust = proxies.length > 0 ? { trustProxy: isTrustedProxy } : {};
  const routing = settings.routedUrl ? { rewriteUrl: settings.routedUrl } : {};
  const adapter = createAdapter({ bodyLimit, ...serverOptionsOf(limits), ...trust, ...routing }, errorBody);
  const instance = adapter.getInstance() as unknown as FastifyInstance;
  const routes = new RouteTable();
  instance.addHook('onRoute', (route) => routes.add(route));
  limitConnections(instance.server, limits.connections, isTrustedProxy);
  shareServer(instance.server, isTrustedProxy, ({ url = '' }) =>
    operationsRoutes.has(url) ? 'monitoring' : settings.patientPaths?.has(url) ? 'patient' : 'usual',
  );
  // Any `Expect` header gets a normal response: the server's own 417 would have no body.
  instance.server.on('checkExpectation', (request, response) => instance.server.emit('request', request, response));
  const bodyBudget = new BodyBudget(settings.bodyBudget);
  leaveUnreadBodies(instance, bodyBudget);
  readBodiesAsJson(instance, bodyLimit, bodyBudget);
  addRequestHooks(instance, ports, settings.accessLog ?? true);
  addTraceHooks(instance);
  const origins = { origins: settings.corsOrigins ?? [], hostNames: settings.hostNames ?? [] };
  const { opennessOf = () => defaultOpenness } = settings;
  const openness = {
    routes,
    // Paths of monitoring are for no page.
    opennessOf: (config: unknown): RouteOpenness =>
      isOperationsRoute(config) ? { toAnyOrigin: false, toLinks: false } : opennessOf(config),
  };
  allowOrigins(instance, origins, openness, settings.corsAnswers);
  const drain = prepareDrain(instance);
  const close = async (closeApplication: () => Promise<void>, forceAfterMs: number): Promise<void> => {
    const draining = drain.start(instance.server, forceAfterMs);
    try {
      await closeApplication();
    } finally {
      draining.end();
    }
  };
  const errorFilter = new ErrorFilter(ports.logger, routes, bodyLimit, errorBody, settings.errorHeaders);
  return { adapter, errorFilter, close };
};
