import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { currentTracer, isTraceparent, runInContext, type Span } from '../observability/index.js';
import { operationsRoutes } from './operations.controller.js';

/**
 * A span for each request, where traces are wanted: by its route, not by its path, in which addresses stand. To be called
 * after the other hooks of requests were added. Without a tracer there are no hooks at all.
 */
export const addTraceHooks = (instance: FastifyInstance): void => {
  const tracer = currentTracer();
  if (!tracer) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  instance.addHook('onRoute', (route) => {
    if (operationsRoutes.has(route.url)) return;
    const enter = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
      const { method, headers, id } = request;
      const parent = isTraceparent(headers['traceparent']) ? headers['traceparent'] : undefined;
      const attributes = { 'http.request.method': method, 'http.route': route.url, 'request.id': id };
      const span = tracer.start({ name: `${method} ${route.url}`, kind: 'server', attributes, parent });
      spans.set(request, span);
      runInContext({ requestId: id, span }, done);
    };
    // Before the id of the request is put in place, which then finds it there.
    route.preValidation = [enter, ...[route.preValidation ?? []].flat()];
  });
  instance.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': statusCode });
    span?.end(statusCode >= 500 ? `HTTP ${statusCode}` : undefined);
    done();
  });
};
