import { type FastifyInstance } from 'fastify';
import { MemoryCache, type Cache } from '@shardnode/core/cache';
import { bodyLimitBytes } from '@shardnode/core/http-server';
import { busMetrics, type BusNetwork } from '@shardnode/core/bus';
import { type Clock } from '@shardnode/core/lifecycle';
import { createMetrics, type Logger } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';
import {
  attoAmountField,
  createAnswerSchemas,
  createRequestSchemas,
  createTransactionForms,
  documentedErrorBody,
  neutralBrand,
  openApiDocument,
  type Brand,
} from '@shardnode/http';
import { groupClient, walletClient } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { createApiKeyCheck } from './api-key.js';
import { checkExposure } from './configuration.js';
import { addDocumentationRoutes } from './docs/documentation-routes.js';
import { apiProfiles, type ApiProfile, type ApiProfileName, type Edge } from './endpoint/edge.js';
import { type Clients } from './endpoint/plans.js';
import { registerEndpoints } from './endpoint/register-endpoints.js';
import { allEndpoints } from './endpoints/index.js';
import { SyncMonitor } from './synced/sync-monitor.js';
import { TransactionPlaces } from './status/transaction-places.js';

export interface GatewayConfiguration {
  /** Name of the network and cluster on the bus. */
  readonly ns: string;
  readonly network: NetworkSettings;
  /** Port 0 takes a free one. */
  readonly http: { readonly host: string; readonly port: number };
  /** Default: none (00-decisions, 10). */
  readonly corsOrigins?: readonly string[];
  /** At least 32 characters. */
  readonly apiKey?: string | undefined;
  /** Whether an interface other than loopback wants a key; default true. */
  readonly apiKeyRequired?: boolean;
  /** Default: the neutral one. */
  readonly brand?: Brand;
  /** A name, or the switches one by one; default `document`. */
  readonly profile?: ApiProfileName | ApiProfile;
  /** `v1.2.3`; default: our own. */
  readonly reportedVersion?: string | undefined;
  readonly commit?: string;
  /** One log line for each request. Default true. */
  readonly accessLog?: boolean;
  /** Memory and event loop metrics of the process; for one service of a process. */
  readonly processMetrics?: boolean;
}

export interface GatewayPorts {
  readonly network: BusNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where transactions and blocks were found; default: in memory. */
  readonly cache?: Cache;
}

const ownVersion = 'v0.1.0';
const cacheBytes = 16 * 1024 * 1024;

const createEdge = (
  configuration: GatewayConfiguration,
  ports: GatewayPorts,
  clients: Clients,
  listening: Edge['listening'],
): Edge => {
  const { network, brand = neutralBrand, profile = 'document' } = configuration;
  const { clock } = ports;
  return {
    network,
    brand,
    profile: typeof profile === 'string' ? apiProfiles[profile] : profile,
    reportedVersion: configuration.reportedVersion ?? ownVersion,
    commit: configuration.commit ?? 'unknown',
    requests: createRequestSchemas(brand),
    answers: createAnswerSchemas(brand, network.groups),
    forms: createTransactionForms(attoAmountField(brand)),
    places: new TransactionPlaces(ports.cache ?? new MemoryCache({ maxBytes: cacheBytes, clock })),
    sync: new SyncMonitor(clients.groups, clock),
    clock,
    listening,
  };
};

const addRoutes = (
  instance: FastifyInstance,
  edge: Edge,
  { apiKey }: GatewayConfiguration,
  { logger, clients }: { readonly logger: Logger; readonly clients: Clients },
): void => {
  const endpoints = allEndpoints(edge);
  registerEndpoints(instance, endpoints, {
    clients,
    sync: edge.sync,
    logger,
    errorBody: documentedErrorBody(edge.brand),
    bodyLimit: bodyLimitBytes,
    checkApiKey: createApiKeyCheck(apiKey),
  });
  addDocumentationRoutes(instance, 'Shardnode API', () =>
    openApiDocument(endpoints, {
      title: 'Shardnode API',
      version: edge.reportedVersion.slice(1),
      description: 'HTTP interface of a full node of a sharded blockchain.',
      port: edge.listening().port,
      hasApiKey: apiKey !== undefined,
      errors: edge.answers,
    }),
  );
};

/** The HTTP interface of the network: validates, finds the group, asks it, shapes the answer. It owns no state. */
export const create = async (configuration: GatewayConfiguration, ports: GatewayPorts): Promise<RunningService> => {
  const { ns, network, http, apiKey, apiKeyRequired = true } = configuration;
  checkExposure({ host: http.host, apiKey, apiKeyRequired });
  const logger = ports.logger.child({ service: 'gateway' });
  const metrics = createMetrics({ service: 'gateway', processMetrics: configuration.processMetrics ?? false });
  const observer = busMetrics(metrics.registry);
  const connection = await ports.network.join({ sender: { service: 'gateway' }, logger, observer });
  const clients: Clients = {
    groups: groupClient(connection.bus, { ns, groups: network.groups }),
    wallet: walletClient(connection.bus, { ns }),
  };
  const edge = createEdge(configuration, ports, clients, () => ({ host: http.host, port: service.port }));
  const service: RunningService = createService({
    name: 'gateway',
    module: {},
    http: {
      ...http,
      corsOrigins: configuration.corsOrigins ?? [],
      accessLog: configuration.accessLog ?? true,
      errorBody: documentedErrorBody(edge.brand),
    },
    readiness: [{ name: 'group-nodes', notReadyBecause: async () => (await edge.sync.state()).reason }],
    logger,
    metrics,
    configure: (application) => {
      const instance = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
      addRoutes(instance, edge, configuration, { logger, clients });
    },
    afterClosing: () => connection.close(),
  });
  return service;
};
