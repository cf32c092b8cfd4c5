import { type IncomingMessage } from 'node:http';
import { type FastifyRequest } from 'fastify';
import { type Logger, type Metrics } from '../observability/index.js';
import { type BodyBudgetLimits } from './body-budget.js';
import { type CorsAnswers } from './cors.js';
import { type RouteOpenness } from './judge-origin.js';
import { type ConnectionLimits } from '../http-limits/index.js';

/** The largest body that is read, in bytes (07 §1.14). */
export const bodyLimitBytes = 10_485_760;

export interface HttpSettings {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Takes a free port if the wanted one is taken, instead of failing. Default false. */
  readonly orAnyPort?: boolean;
  /** False: opens no port, for services with only the bus. Default true. */
  readonly listens?: boolean;
  /** Origins whose pages may call, see `OriginPolicy`. Default: none (decision 10). */
  readonly corsOrigins?: readonly string[];
  /** Default: the methods and headers of the gateway. */
  readonly corsAnswers?: CorsAnswers;
  /** Which requests of other pages a route answers, by its configuration. Default: those of `*` in `corsOrigins`. */
  readonly opennessOf?: (config: unknown) => RouteOpenness;
  /** Names by which clients reach it, beside addresses, `localhost`, `host` and the name of the service. Default: none. */
  readonly hostNames?: readonly string[];
  /** One log line for each request. Default true. */
  readonly accessLog?: boolean;
  /** Bytes; default `bodyLimitBytes`. */
  readonly bodyLimit?: number;
  /** Budget of all bodies being read; default `bodyBudgetLimits`. */
  readonly bodyBudget?: BodyBudgetLimits;
  /** Each defaults to its value in `connectionLimits`. */
  readonly connections?: Partial<ConnectionLimits>;
  /** Addresses or ranges of proxies whose `X-Forwarded-For` names the client. Default: none is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Paths of requests that wait in queues of their own: see `RequestScheduler.begin`. Default: none. */
  readonly patientPaths?: ReadonlySet<string>;
  /**
   * Milliseconds for which responses of `/metrics` and `/health/ready` are cached, where they are public. Default 0.
   */
  readonly operationsTtlMs?: number;
  /** Path and query by which a request is routed. Default: as it was sent. */
  readonly routedUrl?: (request: IncomingMessage) => string;
  /** Form of an error's body, for an interface with its own form of errors; default: all fields and the request id. */
  readonly errorBody?: ErrorBody;
  /** Headers of an error, for an interface with more data about the request; default: those of the error. */
  readonly errorHeaders?: ErrorHeaders;
}

/** `body` has `detail`, and `code`, `resource` and the error's data if present. `path`: where it could be read. */
export type ErrorBody = (
  body: Readonly<Record<string, unknown>>,
  requestId: string,
  path?: string,
) => Readonly<Record<string, unknown>>;

/** `body` as above; `headers` are those that follow from the error alone. */
export type ErrorHeaders = (
  body: Readonly<Record<string, unknown>>,
  request: FastifyRequest,
  headers: Readonly<Record<string, string>>,
) => Record<string, string>;

export interface HttpPorts {
  readonly logger: Logger;
  readonly metrics: Metrics;
}
