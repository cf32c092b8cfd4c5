import { Controller, Get, Header, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { type Registry } from 'prom-client';
import { retryAfterSecondsOfKind } from '../errors/index.js';
import { headersOf } from './error-headers.js';
import { cachedAnswer } from './cached-answer.js';
import { type Readiness, type ReadinessReport } from './readiness.js';

/** What machines ask every few seconds, whatever the answer. */
export const operationsRoutes: ReadonlySet<string> = new Set([
  '/health/live',
  '/health/ready',
  '/health/cluster',
  '/metrics',
]);

/** Of what is not ready, in milliseconds: who waits for it hears soon, and nobody asks the checks more often than this. */
const notReadyTtlMs = 25;

/** Which service of which network answers at a port: so whoever looks there does not take another one for it. */
export interface ServiceIdentity {
  /** `group-node-2`. */
  readonly service: string;
  /** The name of the network and cluster on the bus. */
  readonly namespace?: string;
  /** See `BusConnection.busId`. */
  readonly bus?: string | undefined;
  /** Of the settings that all of its services have alike, for comparison. */
  readonly network?: string;
}

/** What the operations routes of a service show. */
export class Operations {
  readonly report: () => Promise<ReadinessReport>;
  readonly metrics: () => Promise<string>;

  /** @param ttlMs for how long report and metrics count for all who ask; 0: made for each */
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

/** Alike in every service. Without key and limit, so that who watches over a service always gets through. */
@Controller()
export class OperationsController {
  constructor(private readonly operations: Operations) {}

  /** That it runs, and which service it is. */
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
