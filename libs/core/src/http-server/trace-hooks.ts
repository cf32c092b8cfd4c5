import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { clientOfAddress } from '../http-limits/index.js';
import { currentTracer, isTraceparent, runInContext, type Span } from '../observability/index.js';
import { operationsRoutes } from './operations.controller.js';

/**
 * Adds a span for each request, named by its route and not by its path, which holds addresses. Call it after the other
 * request hooks were added. Without a tracer no hooks are added.
 */
export const addTraceHooks = (instance: FastifyInstance): void => {
  const tracer = currentTracer();
  if (!tracer) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  instance.addHook('onRoute', (route) => {
    if (operationsRoutes.has(route.url)) return;
    const enter = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
      const { method, headers, id, ip } = request;
      const parent = isTraceparent(headers['traceparent']) ? headers['traceparent'] : undefined;
      const attributes = { 'http.request.method': method, 'http.route': route.url, 'request.id': id };
      const span = tracer.start({ name: `${method} ${route.url}`, kind: 'server', attributes, parent });
      spans.set(request, span);
      runInContext({ requestId: id, client: clientOfAddress(ip), span }, done);
    };
    // Runs before the hook that sets the request id, so that the span is in its context.
    route.preValidation = [enter, ...[route.preValidation ?? []].flat()];
  });
  instance.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': statusCode });
    span?.end(statusCode >= 500 ? `HTTP ${statusCode}` : undefined);
    done();
  });
};
