import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Registry } from 'prom-client';
import { clientOfAddress } from '../http-limits/index.js';
import { PreparedHistogram, runForRequest, type Recorder } from '../observability/index.js';
import { operationsRoutes } from './operations.controller.js';
import { type HttpPorts } from './settings.js';

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length']);

/** Requests of unknown paths share one name, because clients can invent any number of paths. */
const unknownRoute = 'unknown';

/** Data of a request for metrics and log. */
interface Answered {
  readonly requestId: string;
  readonly method: string;
  readonly status: number;
  /** From the request to the end of the response. */
  readonly milliseconds: number;
}

type ObserveResponse = (answered: Answered) => void;

/** Records each request of a route in the metrics. */
const recordsOf = (duration: PreparedHistogram, route: string): ObserveResponse => {
  const recorders = new Map<string, Map<number, Recorder>>();
  return ({ method, status, milliseconds }) => {
    let byStatus = recorders.get(method);
    if (!byStatus) recorders.set(method, (byStatus = new Map()));
    let recorder = byStatus.get(status);
    if (!recorder) byStatus.set(status, (recorder = duration.of({ method, route, status })));
    recorder.observe(milliseconds / 1000);
  };
};

/** Logs each request of a route. */
const logsOf =
  ({ logger }: HttpPorts, route: string): ObserveResponse =>
  (answered) => {
    const milliseconds = Math.round(answered.milliseconds * 100) / 100;
    // Logs the route, not the path with its query, which may hold a password.
    const { requestId, method, status } = answered;
    const fields = { requestId, method, route, status, milliseconds };
    // Polling of operations routes is frequent and expected, so it is logged as debug.
    const level = operationsRoutes.has(route) ? 'debug' : status >= 500 ? 'warn' : 'info';
    logger[level](fields, 'request');
  };

export const httpMetrics = (registry: Registry): PreparedHistogram =>
  new PreparedHistogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of the response, by route (not path)',
    buckets: durationBuckets,
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });

/**
 * Returns the observer of a route for metrics and log. It is prepared once per route, so that a request needs no lookup
 * of labels.
 */
const observersByRoute = (ports: HttpPorts, accessLog: boolean): ((route: string) => ObserveResponse) => {
  const duration = httpMetrics(ports.metrics.registry);
  const made = new Map<string, ObserveResponse>();
  const make = (route: string): ObserveResponse => {
    const record = recordsOf(duration, route);
    if (!accessLog) return record;
    const log = logsOf(ports, route);
    return (answered) => {
      record(answered);
      log(answered);
    };
  };
  return (route) => {
    let observe = made.get(route);
    if (!observe) made.set(route, (observe = make(route)));
    return observe;
  };
};

const answeredOf = (request: FastifyRequest, reply: FastifyReply): Answered => ({
  requestId: request.id,
  method: request.method,
  status: reply.statusCode,
  milliseconds: reply.elapsedTime,
});

/** After each answer. */
const addResponseHooks = (instance: FastifyInstance, observerOf: (route: string) => ObserveResponse): void => {
  instance.addHook('onRoute', (route) => {
    const observe = observerOf(route.url);
    const hook = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      observe(answeredOf(request, reply));
      done();
    };
    route.onResponse = [hook, ...[route.onResponse ?? []].flat()];
  });
  const observeUnknown = observerOf(unknownRoute);
  instance.addHook('onResponse', (request, reply, done) => {
    if (request.is404) observeUnknown(answeredOf(request, reply));
    done();
  });
};

/**
 * Request id, access log and metrics as hooks of the server: an interceptor of the framework, even an empty one, costs two
 * thirds of the requests per second.
 */
export const addRequestHooks = (instance: FastifyInstance, ports: HttpPorts, accessLog: boolean): void => {
  instance.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    // The body is JSON whatever the header says (07 §1.1), even a malformed header; without a body there is no type.
    request.headers['content-type'] = hasBody(request) ? 'application/json' : undefined;
    done();
  });
  instance.addHook('onRoute', (route) => {
    // Runs after the body was read, because reading it loses the asynchronous context of earlier hooks.
    const enter = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void =>
      runForRequest({ requestId: request.id, client: clientOfAddress(request.ip) }, done);
    route.preValidation = [enter, ...[route.preValidation ?? []].flat()];
  });
  instance.addHook('onSend', (_request, reply, payload, done) => {
    // 07 §1.1: no charset.
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') {
      reply.header('content-type', 'application/json');
    }
    done(null, payload);
  });
  addResponseHooks(instance, observersByRoute(ports, accessLog));
};
