import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { releaseVersion } from '@shardnode/compiler/release-version';
import { cacheMetrics, MemoryCache, type Cache } from '@shardnode/core/cache';
import { ownHostNames } from '@shardnode/core/hosts';
import { type HttpSettings, refuseEmptyParts } from '@shardnode/core/http-server';
import { type Bus, busMetrics, type BusNetwork, busReadiness } from '@shardnode/core/bus';
import { type Clock } from '@shardnode/core/lifecycle';
import { createMetrics, type Logger, type Metrics } from '@shardnode/core/observability';
import { checkProxies } from '@shardnode/core/process';
import { createService, type RunningService } from '@shardnode/core/service';
import { documentedErrorBody } from '@shardnode/http';
import { placesOfNode, routedUrl } from '@shardnode/http/docs';
import { holdUnannounced } from '@shardnode/http/large-answers';
import { gatewayRouting, groupClient, walletClient } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { ApiKeys, type KeysOfRoles } from './access/api-keys.js';
import { requireApiKey } from './access/api-key.hook.js';
import { type ApiKey } from './access/rotated-key.js';
import { opennessOf } from './access/route-openness.js';
import { admitSubmits, submitRoutes } from './admission/submit-admission.js';
import { SubmitQueues } from './admission/submit-queues.js';
import { translateBrand } from './brand/brand.hooks.js';
import { NearFirst } from './caches/near-first.js';
import { gatewayIdentity } from './cluster/gateway-identity.js';
import { groupsReadiness } from './cluster/groups-readiness.js';
import { CompiledNames } from './contracts/compiling/compiled-names.js';
import { NamesFile } from './contracts/compiling/names-file.js';
import { type DevelopmentPorts } from './development/development.module.js';
import { type DescribeApi } from './docs/api-description.js';
import { GatewayDocs } from './docs/gateway-docs.js';
import { addLostPage } from './docs/lost-page.js';
import { operationErrorHeaders } from './errors/error-headers.js';
import { GatewayModule, type OpenedPorts } from './gateway.module.js';
import { LargeAnswers } from './large-answers/large-answers.js';
import { mayRefuse } from './large-answers/may-refuse.js';
import { apiDocument } from './openapi/document.js';
import { createPush } from './push/block-push.js';
import { type PushSettings } from './push/push-server.js';
import { limitRequests } from './rate-limit/limit-requests.js';
import { addSecurityHeaders } from './security-headers.js';
import { apiProfiles, type ApiSettings } from './settings/api-settings.js';
import { checkExposure, checkKeys, type GatewayChoices } from './settings/configuration.js';
import { SyncMonitor } from './synced/sync-monitor.js';
import { buildMetrics } from './transactions/build-metrics.js';
import { Builds } from './transactions/builds.js';

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
  /** Of the role `operate`; a key has at least 32 characters. */
  readonly apiKey?: ApiKey | undefined;
  /** Of the role `wallets`. */
  readonly apiKeyWallets?: ApiKey | undefined;
  /** Of the role `read`. */
  readonly apiKeyRead?: ApiKey | undefined;
  /** Milliseconds for which the former key stays valid after a new one; default 0. */
  readonly apiKeyOverlapMs?: number;
  readonly commit?: string;
  /** Where browsers find the explorer. Default: it is not known. */
  readonly explorerUrl?: string | undefined;
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
  /** Of a development network on one machine; default: the explorer gets no answers of `development`. */
  readonly development?: DevelopmentPorts | undefined;
  /** File of names of compiled contracts, for a development network. Default: they are lost with the process. */
  readonly namesFile?: string | undefined;
}

/** Milliseconds for which health and metrics are cached, because neither a key nor a limit protects them. */
const operationsTtlMs = 250;
const nearBytes = 32 * 1024 * 1024;

const settingsOf = (
  { network, brand, profile, reportedVersion, commit, explorerUrl }: GatewayConfiguration,
  listening: ApiSettings['listening'],
): ApiSettings => ({
  network,
  brand,
  profile: typeof profile === 'string' ? apiProfiles[profile] : profile,
  // Clients read it from `/infos/version` to learn the available calls.
  reportedVersion: reportedVersion ?? releaseVersion,
  commit: commit ?? 'unknown',
  explorerUrl,
  listening,
});

/** Undefined: no key is required. @throws ConfigurationError */
const openKeys = (
  { apiKey: operate, apiKeyWallets: wallets, apiKeyRead: read, apiKeyOverlapMs: overlapMs = 0 }: GatewayConfiguration,
  clock: Clock,
): ApiKeys | undefined => {
  const keys: KeysOfRoles = { read, wallets, operate };
  const valueOf = (key: ApiKey | undefined): string | undefined => (typeof key === 'function' ? key() : key);
  checkKeys({ read: valueOf(read), wallets: valueOf(wallets), operate: valueOf(operate) });
  return operate === undefined ? undefined : new ApiKeys(keys, { overlapMs, clock });
};

/** The push at the interface of the API, with its origins. */
const pushSettingsOf = ({ http, push, corsOrigins = [] }: GatewayConfiguration): PushSettings | undefined =>
  push && {
    ...push,
    host: http.host,
    origins: corsOrigins,
    hostNames: ownHostNames('gateway', http),
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

/** Clients of the services on the bus. */
const openClients = (
  bus: Bus,
  { ns, network }: GatewayConfiguration,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): Pick<OpenedPorts, 'groups' | 'builds' | 'wallet'> => {
  const groups = groupClient(bus, { ns, groups: network.groups });
  const builds = new Builds(groups, logger, buildMetrics(metrics.registry));
  return { groups, builds, wallet: walletClient(bus, { ns }) };
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
    limitRequests(instance, { rates, shared, clock, isApiKey: (key) => apiKeys?.roleOf(key) !== undefined });
  }
  refuseEmptyParts(instance);
  requireApiKey(instance, apiKeys);
  admitSubmits(instance, application.get(SubmitQueues));
  translateBrand(instance, settings.brand);
  holdUnannounced(instance, application.get(LargeAnswers), mayRefuse);
  const docs = application.get(GatewayDocs, { strict: false });
  addLostPage(instance, placesOfNode(settings.explorerUrl), (content, base) => docs.pageOf(content, base));
};

/**
 * The HTTP interface of the network: validates a request, finds its group, queries the group, formats the response. It
 * owns no state.
 */
export const create = async (configuration: GatewayConfiguration, ports: GatewayPorts): Promise<RunningService> => {
  const { ns, network, http, apiKey, apiKeyRequired, walletEnabled } = configuration;
  checkExposure({ host: http.host, apiKey, apiKeyRequired });
  checkProxies(http.trustedProxies ?? []);
  const logger = ports.logger.child({ service: 'gateway' });
  const metrics = createMetrics({ service: 'gateway', processMetrics: configuration.processMetrics ?? false });
  const observer = busMetrics(metrics.registry);
  const routing = gatewayRouting(ns, network.groups);
  const connection = await ports.network.join({ sender: { service: 'gateway' }, logger, observer, routing });
  const apiKeys = openKeys(configuration, ports.clock);
  const { caches, forget } = openCaches(ports, metrics);
  const push = createPush(pushSettingsOf(configuration), { logger });
  const settings = settingsOf(configuration, () => ({ host: http.host, port: service.port, pushPort: push.port }));
  const clients = openClients(connection.bus, configuration, { logger, metrics });
  const { clock, cache: shared, development } = ports;
  const sync = new SyncMonitor(clients.groups, clock);
  const namesFile = ports.namesFile === undefined ? undefined : new NamesFile(ports.namesFile, logger);
  const names = new CompiledNames(namesFile);
  const health: OpenedPorts['health'] = () => service.health();
  // The document is generated by its first request: it needs the running application, and takes a while.
  let running: NestFastifyApplication;
  let described: DescribeApi | undefined;
  const hasApiKey = apiKeys !== undefined;
  const describe: DescribeApi = (now) =>
    (described ??= apiDocument({ application: running, settings, hasApiKey }))(now);
  const opened: OpenedPorts = { settings, ...clients, clock, caches, shared, sync, names, health, describe };
  const service: RunningService = createService({
    name: 'gateway',
    module: { imports: [GatewayModule.of(opened, { walletEnabled, development }), push.module] },
    server: connection.server,
    beforeListening: () => push.start(),
    http: {
      ...http,
      corsOrigins: configuration.corsOrigins ?? [],
      opennessOf,
      accessLog: configuration.accessLog,
      operationsTtlMs,
      patientPaths: submitRoutes,
      routedUrl,
      errorBody: documentedErrorBody(settings.brand, settings.profile.errorTexts),
      errorHeaders: operationErrorHeaders(settings.brand, names),
    },
    identity: gatewayIdentity(ns, network, connection),
    readiness: [busReadiness(connection), groupsReadiness(sync, clock)],
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
      await namesFile?.close();
      await push.stop();
      await connection.close();
    },
  });
  return service;
};
