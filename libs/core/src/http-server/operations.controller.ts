import { Controller, Get, Header, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { type Registry } from 'prom-client';
import { retryAfterSecondsOfKind } from '../errors/index.js';
import { headersOf } from './error-headers.js';
import { cachedAnswer } from './cached-answer.js';
import { type Readiness, type ReadinessReport } from './readiness.js';

/** Routes that monitoring requests every few seconds. */
export const operationsRoutes: ReadonlySet<string> = new Set([
  '/health/live',
  '/health/ready',
  '/health/cluster',
  '/metrics',
]);

/** Whether a route with this configuration of the framework is one of them. */
export const isOperationsRoute = (config: unknown): boolean =>
  operationsRoutes.has((config as { readonly url?: string } | undefined)?.url ?? '');

/**
 * Lifetime of a "not ready" report in milliseconds: short for callers that wait for readiness, and a bound on the rate
 * of the checks.
 */
const notReadyTtlMs = 25;

/** Identity of the service at a port: which service of which network. */
export interface ServiceIdentity {
  /** `group-node-2`. */
  readonly service: string;
  /** The name of the network and cluster on the bus. */
  readonly namespace?: string;
  /** See `BusConnection.busId`. */
  readonly bus?: string | undefined;
  /** Digest of the settings that all services of the network share, for comparison. */
  readonly network?: string;
}

/** Data of the operations routes of a service. */
export class Operations {
  readonly report: () => Promise<ReadinessReport>;
  readonly metrics: () => Promise<string>;

  /** @param ttlMs milliseconds for which report and metrics are cached for all callers; 0: not cached */
  constructor(
    readonly identity: () => ServiceIdentity,
    readiness: Readiness,
    registry: Registry,
    ttlMs: number,
  ) {
    this.report = cachedAnswer(() => readiness.report(), {
      ttlMs: ({ ready }) => (ready ? ttlMs : Math.min(ttlMs, notReadyTtlMs)),
    });
    this.metrics = cachedAnswer(() => registry.metrics(), { ttlMs: () => ttlMs });
  }
}

/** The same in every service. Without API key and rate limit, so that monitoring always works. */
@Controller()
export class OperationsController {
  constructor(private readonly operations: Operations) {}

  /** Liveness and identity of the service. */
  @Get('health/live')
  live(): ServiceIdentity & { readonly live: true } {
    return { live: true, ...this.operations.identity() };
  }

  @Get('health/ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.operations.report();
    if (!report.ready) reply.code(503).headers(headersOf({ retryAfterSeconds: retryAfterSecondsOfKind.unavailable }));
    return report;
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; charset=UTF-8')
  metrics(): Promise<string> {
    return this.operations.metrics();
  }
}
