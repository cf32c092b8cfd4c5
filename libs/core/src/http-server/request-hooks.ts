import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Registry } from 'prom-client';
import { PreparedHistogram, runWithRequestId, type Recorder } from '../observability/index.js';
import { operationsRoutes } from './operations.controller.js';
import { type HttpPorts } from './settings.js';

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length']);

/** Requests whose path is not known share one name: a stranger makes up as many as it likes. */
const unknownRoute = 'unknown';

/** What the metrics and the log say of a request. */
interface Answered {
  readonly requestId: string;
  readonly method: string;
  readonly status: number;
  /** From the request to the end of the answer. */
  readonly milliseconds: number;
}

type ObserveResponse = (answered: Answered) => void;

/** Tells the metrics of each request of a route. */
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

/** Writes a line for each request of a route. */
const logsOf =
  ({ logger }: HttpPorts, route: string): ObserveResponse =>
  (answered) => {
    const milliseconds = Math.round(answered.milliseconds * 100) / 100;
    // The route, not the path with its query: a password may travel there.
    const { requestId, method, status } = answered;
    const fields = { requestId, method, route, status, milliseconds };
    // Who waits for a service to be ready asks again and again: no news for the log.
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

/** What tells metrics and log of the requests of a route. What differs by route is prepared once: a request pays for no look-up. */
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
    // The body is JSON whatever the header says (07 §1.1), also a header that is none; without a body there is no type.
    request.headers['content-type'] = hasBody(request) ? 'application/json' : undefined;
    done();
  });
  instance.addHook('onRoute', (route) => {
    // After the body was read: reading it leaves the asynchronous context of earlier hooks.
    const enter = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void =>
      runWithRequestId(request.id, done);
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
