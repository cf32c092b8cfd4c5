import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type CustomTransportStrategy } from '@nestjs/microservices';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  createHttpEdge,
  listenOn,
  type HttpEdge,
  type HttpSettings,
  Readiness,
  type ReadinessCheck,
  type ReadinessReport,
  type ServiceIdentity,
  Operations,
  OperationsController,
  readinessMetrics,
} from '../http-server/index.js';
import { type Clock, type Service } from '../lifecycle/index.js';
import { nestLogger, softwareVersion, type Logger, type Metrics } from '../observability/index.js';

export interface ServiceDefinition {
  /** `group-node-2`; name of the log and of the metrics. */
  readonly name: string;
  /** Controllers (HTTP and bus alike) and providers; ports come in as value providers. */
  readonly module: ModuleMetadata;
  readonly http: HttpSettings;
  /** From `BusConnection.server`; absent for a service that only asks. */
  readonly server?: CustomTransportStrategy;
  /** What `/health/live` tells besides the name. */
  readonly identity?: () => Omit<ServiceIdentity, 'service'>;
  readonly readiness?: readonly ReadinessCheck[];
  /** Tells since when it is not ready. Default: the system's. */
  readonly clock?: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Before the routes are set up: plugins, documentation pages, more hooks. */
  readonly configure?: (application: NestFastifyApplication) => void | Promise<void>;
  /** Before requests are taken: rebuild what is in memory, start background work. */
  readonly beforeListening?: () => Promise<void>;
  /** After the last request was answered: close what `beforeListening` opened. Runs after a failed start too. */
  readonly afterClosing?: () => Promise<void>;
}

/** What `/health/ready` says, and who says it. */
export interface ServiceHealth extends ReadinessReport {
  readonly version: string;
  /** Of its process. */
  readonly uptimeSeconds: number;
}

/** A request that comes without a socket. */
export interface HandedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with query. */
  readonly url: string;
  /** Sent as JSON; default: none. */
  readonly body?: object | undefined;
}

export interface HandedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** As it would go over the wire. */
  readonly text: string;
}

export interface RunningService extends Service {
  /** Port that it listens on, once started. */
  readonly port: number;
  /** Answers as over HTTP, with routes, hooks and errors. Rejects before the start. */
  handle(request: HandedRequest): Promise<HandedAnswer>;
  health(): Promise<ServiceHealth>;
}

@Module({})
class ServiceModule {}

/** Requests in flight get this long when the service stops. */
const drainLimitMs = 10_000;

const createApplication = async (
  definition: ServiceDefinition,
  edge: HttpEdge,
  operations: Operations,
): Promise<NestFastifyApplication> => {
  const { logger } = definition;
  const { controllers = [], providers = [], ...module } = definition.module;
  const root: DynamicModule = {
    module: ServiceModule,
    ...module,
    controllers: [OperationsController, ...controllers],
    providers: [{ provide: Operations, useValue: operations }, ...providers],
  };
  const application = await NestFactory.create<NestFastifyApplication>(root, edge.adapter, {
    logger: nestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  application.useGlobalFilters(edge.errorFilter);
  if (definition.server) {
    application.connectMicroservice({ strategy: definition.server }, { inheritAppConfig: true });
  }
  await definition.configure?.(application);
  await application.init();
  return application;
};

/**
 * Connections that may wait to be accepted; the system has a limit of its own, 4,096 mostly. With Node's 511 a crowd that comes at
 * once is told to try again by nobody: its first packets are dropped, and sent again after a second or more.
 */
const waitingConnections = 4_096;

/**
 * A service of ours: one framework application with HTTP (health and metrics at least) and bus handlers.
 * Start: build, `beforeListening`, bus subscriptions, HTTP. Stop: HTTP and bus end (requests in flight are finished), then
 * `afterClosing`.
 */
export const createService = (definition: ServiceDefinition): RunningService => {
  let application: NestFastifyApplication | undefined;
  let stopped: Promise<void> | undefined;
  const { logger, metrics } = definition;
  const readiness = new Readiness(definition.readiness ?? [], definition.clock);
  const identity = (): ServiceIdentity => ({ service: definition.name, ...definition.identity?.() });
  // A name without a dot, as in the network of Compose: no stranger's DNS has it.
  const hostNames = [definition.name, ...(definition.http.hostNames ?? [])];
  const edge = createHttpEdge({ ...definition.http, hostNames }, { logger, metrics });
  readinessMetrics(metrics.registry, readiness);
  const operations = new Operations(identity, readiness, metrics.registry, definition.http.keepOperationsMs ?? 0);
  const stop = async (): Promise<void> => {
    const running = application;
    if (running) await edge.close(() => running.close(), drainLimitMs);
    await definition.afterClosing?.();
    definition.metrics.close();
  };
  return {
    name: definition.name,
    start: async () => {
      const made = await createApplication(definition, edge, operations);
      application = made;
      await definition.beforeListening?.();
      await made.startAllMicroservices();
      await listenOn(definition.http, (port, host) => made.listen({ port, host, backlog: waitingConnections }));
    },
    stop: () => (stopped ??= stop()),
    handle: async ({ method, url, body }) => {
      if (!application) throw new Error(`${definition.name} was not started`);
      const { statusCode, headers, payload } = await application.inject({
        method,
        url,
        ...(body && { payload: body }),
      });
      return { status: statusCode, headers, text: payload };
    },
    health: async () => ({
      ...(await readiness.report()),
      version: softwareVersion,
      uptimeSeconds: Math.round(process.uptime()),
    }),
    get port() {
      const address: unknown = application?.getHttpServer().address();
      return typeof address === 'object' && address !== null
        ? (address as { port: number }).port
        : definition.http.port;
    },
  };
};
