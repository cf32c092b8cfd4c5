import { type FastifyInstance } from 'fastify';
import { cacheMetrics, MemoryCache, type Cache } from '@shardnode/core/cache';
import { bodyLimitBytes, type HttpSettings } from '@shardnode/core/http-server';
import { busMetrics, type BusNetwork, busReadiness } from '@shardnode/core/bus';
import { type Clock } from '@shardnode/core/lifecycle';
import { createMetrics, softwareVersion, type Logger, type Metrics } from '@shardnode/core/observability';
import { createService, type RunningService, type ServiceHealth } from '@shardnode/core/service';
import {
  attoAmountField,
  createAnswerSchemas,
  createRequestSchemas,
  createContractForms,
  createTransactionForms,
  documentedErrorBody,
  neutralBrand,
  openApiDocument,
  type Brand,
} from '@shardnode/http';
import { gatewayRouting, groupClient, walletClient } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { admitSubmits } from './admission/submit-admission.js';
import { SubmitWindows } from './admission/submit-windows.js';
import { type ApiKey, ApiKeys, createApiKeyCheck, createApiKeyPass, createApiKeyTest } from './api-key.js';
import { checkExposure, checkProxies } from './configuration.js';
import { addClusterRoutes } from './cluster/cluster-routes.js';
import { gatewayIdentity } from './cluster/gateway-identity.js';
import { createClusterView } from './cluster/cluster-view.js';
import { groupsReadiness } from './cluster/groups-readiness.js';
import { aboutExamples, withDevelopmentExamples } from './docs/development-examples.js';
import { addDocumentationRoutes } from './docs/documentation-routes.js';
import { apiProfiles, type ApiProfile, type ApiProfileName, type Edge } from './endpoint/edge.js';
import { type Endpoint } from './endpoint/endpoint.js';
import { type Clients } from './endpoint/plans.js';
import { registerEndpoints } from './endpoint/register-endpoints.js';
import { allEndpoints } from './endpoints/index.js';
import { limitRequests } from './rate-limit/limit-requests.js';
import { fingerprintOf } from './remembered/fingerprint.js';
import { NearFirst } from './remembered/near-first.js';
import { PeerBook } from './peers/peer-book.js';
import { createPush } from './push/block-push.js';
import { type PushSettings } from './push/push-server.js';
import { UnchangingAnswers } from './remembered/unchanging-answers.js';
import { addSecurityHeaders } from './security-headers.js';
import { SyncMonitor } from './synced/sync-monitor.js';
import { TransactionPlaces } from './status/transaction-places.js';

export interface GatewayConfiguration {
  /** Name of the network and cluster on the bus. */
  readonly ns: string;
  readonly network: NetworkSettings;
  /** Port 0 takes a free one. */
  readonly http: Pick<HttpSettings, 'host' | 'port' | 'listens' | 'connections' | 'bodyBudget' | 'trustedProxies'>;
  /** The push of blocks over WebSocket (protocol 07 §18), at the same interface; default: none. */
  readonly push?: Pick<PushSettings, 'port' | 'orAnyPort'>;
  /** Default: none (00-decisions, 10). */
  readonly corsOrigins?: readonly string[];
  /** At least 32 characters. */
  readonly apiKey?: ApiKey | undefined;
  /** Milliseconds for which the former key still counts after a new one; default 0. */
  readonly apiKeyOverlapMs?: number;
  /** Whether an interface other than loopback wants a key; default true. */
  readonly apiKeyRequired?: boolean;
  /** Default: the neutral one. */
  readonly brand?: Brand;
  /** A name, or the switches one by one; default `document`. */
  readonly profile?: ApiProfileName | ApiProfile;
  /** Version of the API, `v1.2.3`; default: that of document 07. */
  readonly reportedVersion?: string | undefined;
  readonly commit?: string;
  /** Requests a minute from each address; 0, the default: as many as it likes. */
  readonly rateLimit?: number;
  /** Requests a minute with the key; 0, the default: as many as they like. */
  readonly rateLimitKey?: number;
  /** Whether the endpoints of wallets are there; default true. */
  readonly walletEnabled?: boolean;
  /** One log line for each request. Default true. */
  readonly accessLog?: boolean;
  /** Memory and event loop metrics of the process; for one service of a process. */
  readonly processMetrics?: boolean;
}

export interface GatewayPorts {
  readonly network: BusNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * What all gateways share: ready-made answers, where transactions were found, counts of requests. Who opened it closes it.
   * Default: each gateway remembers for itself.
   */
  readonly cache?: Cache;
}

/** Neither key nor limit keeps strangers from asking for health and metrics. */
const keepOperationsMs = 250;
/** Version of the API that document 07 describes. Clients read it from `/infos/version` to learn which calls a node has. */
const apiVersion = 'v2.14.9';
const nearBytes = 32 * 1024 * 1024;

/** What is remembered, keyed so that gateways of another network, or with other forms of answers, do not meet in one cache. */
const createMemory = (configuration: GatewayConfiguration, caches: NearFirst): Pick<Edge, 'places' | 'unchanging'> => {
  const { network, brand = neutralBrand, commit } = configuration;
  const profile = profileOf(configuration);
  return {
    places: new TransactionPlaces(caches, { groups: network.groups, fingerprint: fingerprintOf(network) }),
    unchanging: new UnchangingAnswers(
      caches,
      fingerprintOf({ network, brand, profile, version: softwareVersion, commit }),
    ),
  };
};

const profileOf = ({ profile = 'document' }: GatewayConfiguration): ApiProfile =>
  typeof profile === 'string' ? apiProfiles[profile] : profile;

/** At the interface of the API, with its origins. */
const pushSettingsOf = ({ http, push, corsOrigins = [] }: GatewayConfiguration): PushSettings | undefined =>
  push && { ...push, host: http.host, origins: corsOrigins, trustedProxies: http.trustedProxies ?? [] };

const createEdge = (
  configuration: GatewayConfiguration,
  ports: GatewayPorts,
  { clients, caches }: { readonly clients: Clients; readonly caches: NearFirst },
  listening: Edge['listening'],
): Edge => {
  const { network, brand = neutralBrand } = configuration;
  const { clock } = ports;
  const profile = profileOf(configuration);
  const forms = createTransactionForms(attoAmountField(brand));
  return {
    network,
    brand,
    profile,
    reportedVersion: configuration.reportedVersion ?? apiVersion,
    commit: configuration.commit ?? 'unknown',
    requests: createRequestSchemas(brand),
    answers: createAnswerSchemas(brand, network.groups, profile),
    forms,
    contractForms: createContractForms(brand, forms, profile.errorTexts),
    ...createMemory(configuration, caches),
    sync: new SyncMonitor(clients.groups, clock),
    submitWindows: new SubmitWindows(clock, network.groups),
    clock,
    peerBook: new PeerBook(ports.cache, clock, fingerprintOf(network)),
    listening,
  };
};

interface RoutePorts {
  readonly logger: Logger;
  readonly clients: Clients;
  readonly cache: Cache | undefined;
  readonly apiKeys: ApiKeys | undefined;
}

const addRoutes = (
  instance: FastifyInstance,
  edge: Edge,
  configuration: GatewayConfiguration,
  { logger, clients, cache, apiKeys }: RoutePorts,
): void => {
  const { rateLimit = 0, rateLimitKey = 0, walletEnabled = true } = configuration;
  const endpoints = allEndpoints(edge).filter(({ tag }) => walletEnabled || tag !== 'Wallets');
  const errorBody = documentedErrorBody(edge.brand, edge.profile.errorTexts);
  addSecurityHeaders(instance);
  if (rateLimit > 0 || rateLimitKey > 0) {
    const rates = { perAddress: rateLimit, perKey: rateLimitKey };
    const isApiKey = createApiKeyTest(apiKeys);
    limitRequests(instance, { rates, shared: cache, clock: edge.clock, errorBody, isApiKey });
  }
  admitSubmits(instance, edge.submitWindows, createApiKeyPass(apiKeys));
  registerEndpoints(instance, endpoints, {
    clients,
    sync: edge.sync,
    logger,
    brand: edge.brand,
    errorBody,
    bodyLimit: bodyLimitBytes,
    checkApiKey: createApiKeyCheck(apiKeys),
  });
  addDocumentation(instance, endpoints, edge, apiKeys !== undefined);
};

const addDocumentation = (
  instance: FastifyInstance,
  endpoints: readonly Endpoint[],
  edge: Edge,
  hasApiKey: boolean,
): void => {
  const { brand, clock } = edge;
  const title = 'Shardnode API';
  const describe = (now: number): unknown =>
    openApiDocument(withDevelopmentExamples(endpoints, brand, now), {
      brand,
      title,
      version: edge.reportedVersion.slice(1),
      description: `HTTP interface of a full node of a sharded blockchain. ${aboutExamples}`,
      port: edge.listening().port,
      hasApiKey,
      errors: edge.answers,
    });
  addDocumentationRoutes(instance, { title, clock, describe });
};

/** A cache of this process before the shared one, both measured; `forget` ends the measuring of what lives longer than us. */
const openCaches = (
  { cache, clock }: GatewayPorts,
  metrics: Metrics,
): { readonly caches: NearFirst; readonly forget: () => void } => {
  const observer = cacheMetrics(metrics.registry);
  const near = new MemoryCache({ maxBytes: nearBytes, clock });
  near.observe(observer('memory'));
  const forget = cache?.observe(observer('shared')) ?? (() => undefined);
  return { caches: new NearFirst(near, cache), forget };
};

/** The HTTP interface of the network: validates, finds the group, asks it, shapes the answer. It owns no state. */
export const create = async (configuration: GatewayConfiguration, ports: GatewayPorts): Promise<RunningService> => {
  const { ns, network, http, apiKey, apiKeyRequired = true, apiKeyOverlapMs = 0 } = configuration;
  checkExposure({ host: http.host, apiKey, apiKeyRequired });
  checkProxies(http.trustedProxies ?? []);
  const logger = ports.logger.child({ service: 'gateway' });
  const metrics = createMetrics({ service: 'gateway', processMetrics: configuration.processMetrics ?? false });
  const observer = busMetrics(metrics.registry);
  const routing = gatewayRouting(ns, network.groups);
  const connection = await ports.network.join({ sender: { service: 'gateway' }, logger, observer, routing });
  const clients: Clients = {
    groups: groupClient(connection.bus, { ns, groups: network.groups }),
    wallet: walletClient(connection.bus, { ns }),
  };
  const apiKeys = apiKey === undefined ? undefined : new ApiKeys(apiKey, { overlapMs: apiKeyOverlapMs });
  const { caches, forget } = openCaches(ports, metrics);
  const edge = createEdge(configuration, ports, { clients, caches }, () => ({
    host: http.host,
    port: service.port,
    pushPort: push.port,
  }));
  const push = createPush(pushSettingsOf(configuration), { edge, logger });
  const service: RunningService = createService({
    name: 'gateway',
    module: push.module,
    server: connection.server,
    beforeListening: () => push.start(),
    http: {
      ...http,
      corsOrigins: configuration.corsOrigins ?? [],
      accessLog: configuration.accessLog ?? true,
      keepOperationsMs,
      errorBody: documentedErrorBody(edge.brand, edge.profile.errorTexts),
    },
    identity: gatewayIdentity(ns, network, connection),
    readiness: [busReadiness(connection), groupsReadiness(edge.sync)],
    clock: ports.clock,
    logger,
    metrics,
    configure: (application) => {
      const instance = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
      addRoutes(instance, edge, configuration, { logger, clients, cache: ports.cache, apiKeys });
      const ownHealth = (): Promise<ServiceHealth> => service.health();
      const { networkId } = network;
      addClusterRoutes(instance, createClusterView({ clients, networkId, clock: ports.clock, ownHealth }));
    },
    afterClosing: async () => {
      forget();
      apiKeys?.close();
      await push.stop();
      await connection.close();
    },
  });
  return service;
};
