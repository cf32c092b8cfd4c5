import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import { runWithRequestId } from '../observability/index.js';
import { operationsRoutes } from './operations-routes.js';
import { type HttpPorts } from './settings.js';

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const routeOf = (request: FastifyRequest): string =>
  request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length']);

/**
 * Request id, access log and metrics as hooks of the server: an interceptor of the framework, even an empty one, costs two
 * thirds of the requests per second.
 */
export const addRequestHooks = (instance: FastifyInstance, ports: HttpPorts, accessLog: boolean): void => {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers: [ports.metrics.registry],
  });
  instance.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    // The body is JSON whatever the header says (07 §1.1), also a header that is none; without a body there is no type.
    request.headers['content-type'] = hasBody(request) ? 'application/json' : undefined;
    done();
  });
  // After the body was read: reading it leaves the asynchronous context of earlier hooks.
  instance.addHook('preValidation', (request, _reply, done) => runWithRequestId(request.id, done));
  instance.addHook('onSend', (_request, reply, payload, done) => {
    // 07 §1.1: no charset.
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') {
      reply.header('content-type', 'application/json');
    }
    done(null, payload);
  });
  instance.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    const route = routeOf(request);
    duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (accessLog) {
      const milliseconds = Math.round(reply.elapsedTime * 100) / 100;
      // The route, not the path with its query: a password may travel there.
      const fields = { requestId: request.id, method: request.method, route, status, milliseconds };
      // Who waits for a service to be ready asks again and again: no news for the log.
      const level = operationsRoutes.has(route) ? 'debug' : status >= 500 ? 'warn' : 'info';
      ports.logger[level](fields, 'request');
    }
    done();
  });
};
