import { type FastifyRequest } from 'fastify';
import { type Logger, type Metrics } from '../observability/index.js';
import { type BodyBudgetLimits } from './body-budget.js';
import { type ConnectionLimits } from '../http-limits/index.js';

/** The largest body that is read, in bytes (07 §1.14). */
export const bodyLimitBytes = 10_485_760;

export interface HttpSettings {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** A port that is taken is no failure: a free one is taken then. Default false. */
  readonly orAnyPort?: boolean;
  /** False: no port is opened, for services whose network is the bus alone. Default true. */
  readonly listens?: boolean;
  /** Origins whose pages may call, see `OriginPolicy`. Default: none (decision 10). */
  readonly corsOrigins?: readonly string[];
  /** Names by which clients reach it, beside addresses, `localhost` and the name of the service. Default: none. */
  readonly hostNames?: readonly string[];
  /** One log line for each request. Default true. */
  readonly accessLog?: boolean;
  /** Bytes; default `bodyLimitBytes`. */
  readonly bodyLimit?: number;
  /** What all bodies together may take while they are read; default `bodyBudgetLimits`. */
  readonly bodyBudget?: BodyBudgetLimits;
  /** Default `connectionLimits`, each by itself. */
  readonly connections?: Partial<ConnectionLimits>;
  /** Addresses or ranges of proxies whose `X-Forwarded-For` tells the client. Default: none is believed. */
  readonly trustedProxies?: readonly string[];
  /** Milliseconds for which what `/metrics` and `/health/ready` say is kept for all who ask, where strangers may. Default 0. */
  readonly keepOperationsMs?: number;
  /** Form of an error's body, for an interface whose errors have a shape of their own; default: all, and the request id. */
  readonly errorBody?: ErrorBody;
  /** Headers of an error, for an interface that knows more of the request than the error says; default: those of the error. */
  readonly errorHeaders?: ErrorHeaders;
}

/** `body` has `detail`, and `code`, `resource` and the error's data where there are any. */
export type ErrorBody = (
  body: Readonly<Record<string, unknown>>,
  requestId: string,
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
