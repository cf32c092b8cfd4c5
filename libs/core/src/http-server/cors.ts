import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { errorHeaders } from './error-headers.js';
import { createOriginJudge, type OriginPolicy, type RouteOpenness } from './judge-origin.js';
import { type RouteTable } from './route-table.js';

/** Answers to pages that may call. */
export interface CorsAnswers {
  readonly methods: string;
  readonly headers: string;
  /** Seconds for which a browser caches the answer to a preflight. */
  readonly maxAgeSeconds: number;
  /** Response headers that scripts may read, beside those of every service. */
  readonly exposed: readonly string[];
}

const defaultAnswers: CorsAnswers = {
  methods: 'GET, POST, PUT, DELETE',
  headers: 'Content-Type, X-API-KEY, X-Request-Id',
  maxAgeSeconds: 600,
  exposed: [],
};

/** Response headers that scripts of a page may read. */
const exposedAlways = ['X-Request-Id', ...Object.values(errorHeaders).map(({ name }) => name)];

export interface Openness {
  readonly routes: RouteTable;
  /** Of a route with this configuration; `undefined`: no route. */
  readonly opennessOf: (config: unknown) => RouteOpenness;
}

/** The method that a preflight announces; undefined: the request is none. */
const announcedMethod = ({ method, headers }: FastifyRequest): string | undefined =>
  method === 'OPTIONS' ? headers['access-control-request-method'] : undefined;

/**
 * Refuses requests of foreign pages before any route, whatever their method (403), and answers preflights of the others. A
 * preflight alone protects nothing: bodies of `text/plain` need none.
 */
export const allowOrigins = (
  instance: FastifyInstance,
  policy: OriginPolicy,
  { routes, opennessOf }: Openness,
  answers: CorsAnswers = defaultAnswers,
): void => {
  const exposedHeaders = [...exposedAlways, ...answers.exposed].join(', ');
  const judge = createOriginJudge(policy);
  instance.addHook('onRequest', (request, reply, done) => {
    const announced = announcedMethod(request);
    // A preflight is judged as the request that it announces.
    const config =
      announced === undefined
        ? request.routeOptions.config
        : routes.configOf(announced, request.url.replace(/\?.*$/s, ''));
    const { refusal, headers } = judge(request.raw, opennessOf(config));
    reply.headers(headers);
    if (refusal) throw refusal;
    if (headers['access-control-allow-origin'] === undefined) return done();
    reply.header('access-control-expose-headers', exposedHeaders);
    if (announced === undefined) return done();
    reply.header('access-control-allow-methods', answers.methods);
    reply.header('access-control-allow-headers', answers.headers);
    reply.header('access-control-max-age', String(answers.maxAgeSeconds));
    void reply.code(204).send();
  });
};
