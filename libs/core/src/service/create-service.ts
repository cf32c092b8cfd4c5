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
import { ownHostNames } from '../hosts/index.js';
import { type Clock, type Service } from '../lifecycle/index.js';
import { nestLogger, softwareVersion, type Logger, type Metrics } from '../observability/index.js';

export interface ServiceDefinition {
  /** `group-node-2`; name in the log and the metrics. */
  readonly name: string;
  /** Controllers (of HTTP and the bus) and providers; ports are value providers. */
  readonly module: ModuleMetadata;
  readonly http: HttpSettings;
  /** From `BusConnection.server`; absent for a service without handlers. */
  readonly server?: CustomTransportStrategy;
  /** Data of `/health/live` besides the name. */
  readonly identity?: () => Omit<ServiceIdentity, 'service'>;
  readonly readiness?: readonly ReadinessCheck[];
  /** Measures since when the service is not ready. Default: the system's clock. */
  readonly clock?: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Runs before the routes are set up: plugins, documentation pages, further hooks. */
  readonly configure?: (application: NestFastifyApplication) => void | Promise<void>;
  /** Runs before requests are taken: rebuild in-memory state, start background work. */
  readonly beforeListening?: () => Promise<void>;
  /** Runs after the last response: close the resources of `beforeListening`. Also after a failed start. */
  readonly afterClosing?: () => Promise<void>;
}

/** Content of `/health/ready`, and identity of the service. */
export interface ServiceHealth extends ReadinessReport {
  readonly version: string;
  /** Uptime of its process. */
  readonly uptimeSeconds: number;
}

/** A request without a socket. */
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
  /** As over the network. */
  readonly text: string;
}

export interface RunningService extends Service {
  /** Listening port, once started. */
  readonly port: number;
  /** Answers as over HTTP, with routes, hooks and errors. Rejects before the start. */
  handle(request: HandedRequest): Promise<HandedAnswer>;
  health(): Promise<ServiceHealth>;
}

@Module({})
class ServiceModule {}

/** Milliseconds to drain requests in flight when the service stops. */
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
 * Backlog of connections to accept; the system has its own limit, mostly 4,096. With Node's 511 a burst of new clients
 * overflows it silently: their first packets are dropped, and sent again after a second or more.
 */
const waitingConnections = 4_096;

/**
 * A service: one framework application with HTTP (at least health and metrics) and bus handlers. Start: build,
 * `beforeListening`, bus subscriptions, HTTP. Stop: HTTP and bus drain requests in flight and close, then
 * `afterClosing`.
 */
export const createService = (definition: ServiceDefinition): RunningService => {
  let application: NestFastifyApplication | undefined;
  let stopped: Promise<void> | undefined;
  const { logger, metrics } = definition;
  const readiness = new Readiness(definition.readiness ?? [], definition.clock);
  const identity = (): ServiceIdentity => ({ service: definition.name, ...definition.identity?.() });
  const hostNames = ownHostNames(definition.name, definition.http);
  const edge = createHttpEdge({ ...definition.http, hostNames }, { logger, metrics });
  readinessMetrics(metrics.registry, readiness);
  const operations = new Operations(identity, readiness, metrics.registry, definition.http.operationsTtlMs ?? 0);
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
