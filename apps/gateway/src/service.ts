import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { cacheMetrics, MemoryCache, type Cache } from '@shardnode/core/cache';
import { type HttpSettings } from '@shardnode/core/http-server';
import { busMetrics, type BusNetwork, busReadiness } from '@shardnode/core/bus';
import { type Clock } from '@shardnode/core/lifecycle';
import { createMetrics, type Logger, type Metrics } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';
import { documentedErrorBody } from '@shardnode/http';
import { gatewayRouting, groupClient, walletClient } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type ApiKey, ApiKeys, createApiKeyTest } from './access/api-keys.js';
import { requireApiKey } from './access/api-key.hook.js';
import { admitSubmits } from './admission/submit-admission.js';
import { SubmitWindows } from './admission/submit-windows.js';
import { translateBrand } from './brand/brand.hooks.js';
import { NearFirst } from './caches/near-first.js';
import { gatewayIdentity } from './cluster/gateway-identity.js';
import { groupsReadiness } from './cluster/groups-readiness.js';
import { type DescribeApi } from './docs/api-description.js';
import { operationErrorHeaders } from './errors/error-headers.js';
import { GatewayModule, type OpenedPorts } from './gateway.module.js';
import { refuseEmptyParts } from './operations/empty-parts.hook.js';
import { apiDocument } from './openapi/document.js';
import { createPush } from './push/block-push.js';
import { type PushSettings } from './push/push-server.js';
import { limitRequests } from './rate-limit/limit-requests.js';
import { addSecurityHeaders } from './security-headers.js';
import { apiProfiles, type ApiSettings } from './settings/api-settings.js';
import { checkExposure, checkProxies, type GatewayChoices } from './settings/configuration.js';
import { SyncMonitor } from './synced/sync-monitor.js';

export interface GatewayConfiguration extends GatewayChoices {
  /** Name of the network and cluster on the bus. */
  readonly ns: string;
  readonly network: NetworkSettings;
  /** Port 0 takes a free port. */
  readonly http: Pick<
    HttpSettings,
    'host' | 'port' | 'listens' | 'connections' | 'bodyBudget' | 'trustedProxies' | 'hostNames'
  >;
  /** The push of blocks over WebSocket (protocol 07 §18), at the same interface; default: none. */
  readonly push?: Pick<PushSettings, 'port' | 'orAnyPort'>;
  /** Default: none (00-decisions, 10). */
  readonly corsOrigins?: readonly string[];
  /** At least 32 characters. */
  readonly apiKey?: ApiKey | undefined;
  /** Milliseconds for which the former key stays valid after a new one; default 0. */
  readonly apiKeyOverlapMs?: number;
  readonly commit?: string;
  /** Memory and event loop metrics of the process; for one service of a process. */
  readonly processMetrics?: boolean;
}

export interface GatewayPorts {
  readonly network: BusNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Cache that all gateways share: serialized responses, groups of transactions, counts of requests. Its opener closes
   * it. Default: each gateway has only its own cache.
   */
  readonly cache?: Cache;
}

/** Milliseconds for which health and metrics are cached, because neither a key nor a limit protects them. */
const operationsTtlMs = 250;
/**
 * Version of the API that document 07 describes. Clients read it from `/infos/version` to learn the available calls.
 */
const apiVersion = 'v2.14.9';
const nearBytes = 32 * 1024 * 1024;

const settingsOf = (
  { network, brand, profile, reportedVersion, commit }: GatewayConfiguration,
  listening: ApiSettings['listening'],
): ApiSettings => ({
  network,
  brand,
  profile: typeof profile === 'string' ? apiProfiles[profile] : profile,
  reportedVersion: reportedVersion ?? apiVersion,
  commit: commit ?? 'unknown',
  listening,
});

/** The push at the interface of the API, with its origins. */
const pushSettingsOf = ({ http, push, corsOrigins = [] }: GatewayConfiguration): PushSettings | undefined =>
  push && {
    ...push,
    host: http.host,
    origins: corsOrigins,
    hostNames: ['gateway', ...(http.hostNames ?? [])],
    trustedProxies: http.trustedProxies ?? [],
  };

/**
 * A cache of this process before the shared one, both measured; `forget` ends the measurement of the shared one, which
 * lives longer than the gateway.
 */
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

/** Hooks of the server around the controllers of the framework, in this order. */
const addHooks = (
  application: NestFastifyApplication,
  { rateLimit, rateLimitKey }: GatewayConfiguration,
  { settings, shared, clock }: OpenedPorts,
  apiKeys: ApiKeys | undefined,
): void => {
  const instance = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  addSecurityHeaders(instance);
  if (rateLimit > 0 || rateLimitKey > 0) {
    const rates = { perAddress: rateLimit, perKey: rateLimitKey };
    limitRequests(instance, { rates, shared, clock, isApiKey: createApiKeyTest(apiKeys) });
  }
  refuseEmptyParts(instance);
  requireApiKey(instance, apiKeys);
  admitSubmits(instance, application.get(SubmitWindows));
  translateBrand(instance, settings.brand);
};

/**
 * The HTTP interface of the network: validates a request, finds its group, queries the group, formats the response. It
 * owns no state.
 */
export const create = async (configuration: GatewayConfiguration, ports: GatewayPorts): Promise<RunningService> => {
  const { ns, network, http, apiKey, apiKeyRequired, apiKeyOverlapMs = 0, walletEnabled } = configuration;
  checkExposure({ host: http.host, apiKey, apiKeyRequired });
  checkProxies(http.trustedProxies ?? []);
  const logger = ports.logger.child({ service: 'gateway' });
  const metrics = createMetrics({ service: 'gateway', processMetrics: configuration.processMetrics ?? false });
  const observer = busMetrics(metrics.registry);
  const routing = gatewayRouting(ns, network.groups);
  const connection = await ports.network.join({ sender: { service: 'gateway' }, logger, observer, routing });
  const apiKeys = apiKey === undefined ? undefined : new ApiKeys(apiKey, { overlapMs: apiKeyOverlapMs });
  const { caches, forget } = openCaches(ports, metrics);
  const push = createPush(pushSettingsOf(configuration), { logger });
  const settings = settingsOf(configuration, () => ({ host: http.host, port: service.port, pushPort: push.port }));
  const groups = groupClient(connection.bus, { ns, groups: network.groups });
  const wallet = walletClient(connection.bus, { ns });
  const { clock, cache: shared } = ports;
  const sync = new SyncMonitor(groups, clock);
  const health: OpenedPorts['health'] = () => service.health();
  // The document is generated by its first request: it needs the running application, and takes a while.
  let running: NestFastifyApplication;
  let described: DescribeApi | undefined;
  const hasApiKey = apiKeys !== undefined;
  const describe: DescribeApi = (now) =>
    (described ??= apiDocument({ application: running, settings, hasApiKey }))(now);
  const opened: OpenedPorts = { settings, groups, wallet, clock, caches, shared, sync, health, describe };
  const service: RunningService = createService({
    name: 'gateway',
    module: { imports: [GatewayModule.of(opened, { walletEnabled }), push.module] },
    server: connection.server,
    beforeListening: () => push.start(),
    http: {
      ...http,
      corsOrigins: configuration.corsOrigins ?? [],
      accessLog: configuration.accessLog,
      operationsTtlMs,
      errorBody: documentedErrorBody(settings.brand, settings.profile.errorTexts),
      errorHeaders: operationErrorHeaders(settings.brand),
    },
    identity: gatewayIdentity(ns, network, connection),
    readiness: [busReadiness(connection), groupsReadiness(sync)],
    clock,
    logger,
    metrics,
    configure: (application) => {
      running = application;
      addHooks(application, configuration, opened, apiKeys);
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
