import {
  type DynamicModule,
  Global,
  type INestApplication,
  Module,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { type FastifyInstance } from 'fastify';
import { type Database } from '@shardnode/core/database';
import { coreError } from '@shardnode/core/errors';
import { type CorsAnswers, type HttpSettings, refuseEmptyParts } from '@shardnode/core/http-server';
import { Clock } from '@shardnode/core/lifecycle';
import { createMetrics, type Logger, type Metrics } from '@shardnode/core/observability';
import { createService, type RunningService, type ServiceDefinition } from '@shardnode/core/service';
import { brandAnswers, type Json } from '@shardnode/http';
import { routedUrl } from '@shardnode/http/docs';
import { AnswerPermits, holdUnannounced } from '@shardnode/http/large-answers';
import { GroupClient } from '@shardnode/messages';
import { AddressTokensController } from './api/address-tokens.controller.js';
import { AddressesController } from './api/addresses.controller.js';
import { addAnswerHooks } from './api/answer-hooks.js';
import { BlocksController } from './api/blocks.controller.js';
import { ChartsController } from './api/charts.controller.js';
import { addBrandedPaths } from './api/branded-paths.js';
import { ContractsController } from './api/contracts.controller.js';
import { DevelopmentController } from './api/development.controller.js';
import { EventsController } from './api/events.controller.js';
import { ExportController } from './api/export.controller.js';
import { ExplorerSettings } from './settings.js';
import { FirstParts } from './api/first-parts.js';
import { indexLag } from './api/index-lag.js';
import { InfosController } from './api/infos.controller.js';
import { limitRequests } from './api/limit-requests.js';
import { MempoolController } from './api/mempool.controller.js';
import { isOperation, opennessOf } from './api/operation.js';
import { RequestValidationPipe } from './api/request-validation.pipe.js';
import { StreamController } from './api/stream.controller.js';
import { SearchController } from './api/search.controller.js';
import { SupplyController } from './api/supply.controller.js';
import { TokensController } from './api/tokens.controller.js';
import { TransactionsController } from './api/transactions.controller.js';
import { defaultExplorerChoices, type ExplorerChoices } from './configuration.js';
import { developmentTools, type DevelopmentTools } from './development/development-tools.js';
import { NamedPlaces } from './development/named-places.js';
import { describeApi, DocsController } from './docs/docs.controller.js';
import { explorerErrorBody } from './errors.js';
import { Exports } from './export/exports.js';
import { SyncState } from './following/sync-state.js';
import { LiveStream } from './live/live-stream.js';
import { streamMetrics } from './live/stream-metrics.js';
import { ContractStates } from './group-nodes/contract-states.js';
import { ScriptFailures } from './group-nodes/script-failures.js';
import { apiDocument } from './openapi/document.js';
import { Reads } from './database/reads.js';
import { pageStart } from './web-page/page-state.js';
import { addWebPage } from './web-page/web-page.js';

/** Limits without a value are those of an explorer without settings. */
export interface ExplorerApiConfiguration extends Partial<Omit<ExplorerChoices, 'mode'>> {
  /** Number of groups of the network. */
  readonly groups: number;
  /** Milliseconds; default: those of public networks. */
  readonly blockTargetTimeMs?: number;
  /** Port 0 takes a free port. */
  readonly http: Pick<HttpSettings, 'host' | 'port' | 'listens' | 'hostNames' | 'accessLog' | 'trustedProxies'>;
  readonly commit?: string;
}

export interface ExplorerApiPorts {
  /** The index; its opener closes it. */
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: the API stands alone, and answers 503 where it would ask them. */
  readonly groupNodes?: GroupClient;
  /** Of a development network on one machine; default: the API has no operations of `/development`. */
  readonly development?: DevelopmentTools | undefined;
}

/** Parts of a process besides the API. */
export interface ProcessParts extends Pick<
  ServiceDefinition,
  'server' | 'identity' | 'readiness' | 'beforeListening' | 'afterClosing'
> {
  readonly metrics: Metrics;
  /** How far the process follows the chains. */
  readonly sync: SyncState;
  /** Handlers of the bus. */
  readonly module: ModuleMetadata;
  /** False: health and metrics alone. */
  readonly servesApi: boolean;
}

/** The areas of the API, in the order of protocol 08 §5. */
export const controllers: readonly Type[] = [
  BlocksController,
  TransactionsController,
  AddressesController,
  AddressTokensController,
  ExportController,
  EventsController,
  ContractsController,
  InfosController,
  SupplyController,
  ChartsController,
  TokensController,
  MempoolController,
  SearchController,
  StreamController,
  DocsController,
];

interface ApiProviders {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly sync: SyncState;
  readonly stream: LiveStream;
  readonly groupNodes: GroupClient;
  readonly describe: () => Json;
  readonly development: DevelopmentTools | undefined;
}

@Global()
@Module({})
class ExplorerModule {
  static of(
    settings: ExplorerSettings,
    { reads, clock, sync, stream, groupNodes, describe, development }: ApiProviders,
    { controllers: handlers = [], providers: more = [] }: ModuleMetadata = {},
    areas: readonly Type[] = controllers,
  ): DynamicModule {
    const providers = [
      { provide: ExplorerSettings, useValue: settings },
      { provide: Reads, useValue: reads },
      { provide: Clock, useValue: clock },
      { provide: describeApi, useValue: describe },
      { provide: SyncState, useValue: sync },
      { provide: LiveStream, useValue: stream },
      { provide: GroupClient, useValue: groupNodes },
      { provide: developmentTools, useValue: development },
      ContractStates,
      NamedPlaces,
      ScriptFailures,
      Exports,
      FirstParts,
      { provide: APP_PIPE, useClass: RequestValidationPipe },
      ...more,
    ];
    return { module: ExplorerModule, controllers: [...areas, ...handlers], providers };
  }
}

/** Of every page, with every header (protocol 08 §5.1). */
const corsAnswers: CorsAnswers = {
  methods: 'GET, POST, PUT, HEAD, OPTIONS',
  headers: '*',
  maxAgeSeconds: 1_800,
  exposed: ['X-Next-Cursor', 'ETag', 'X-Explorer-Lag-Ms'],
};

const publicBlockTargetTimeMs = 64_000;

/** Bytes of the largest body (protocol 08 §5.1). */
const bodyLimit = 65_536;

/** Of an API that stands alone. */
const noGroupNodes = (groups: number): GroupClient => ({
  groups,
  request: () => Promise.reject(coreError('NoResponder', 'This explorer has no group-nodes')),
});

const databaseReadiness = (reads: Reads) => ({
  name: 'database',
  action: 'Look whether PostgreSQL runs at DATABASE_URL; work goes on by itself.',
  notReadyBecause: async () => {
    await reads.of(({ query }) => query('ping', 'SELECT 1'));
    return undefined;
  },
});

/**
 * The API of the explorer over its index (protocol 08 §5). It only reads.
 * @param parts of a process that follows the feed; without them the API stands alone
 */
export const explorerApi = (
  configuration: ExplorerApiConfiguration,
  { database, clock, logger, groupNodes = noGroupNodes(configuration.groups), development }: ExplorerApiPorts,
  parts?: ProcessParts,
): RunningService => {
  const { http, brand, ...limits } = {
    commit: 'unknown',
    blockTargetTimeMs: publicBlockTargetTimeMs,
    ...defaultExplorerChoices,
    ...configuration,
  };
  const settings: ExplorerSettings = { ...limits, coinSymbol: brand.coinSymbol };
  const reads = new Reads(database, limits.statementTimeoutMs);
  // Made at its first request: it needs the running application.
  let running: INestApplication;
  const describe = (): Json => apiDocument(running, brand);
  const {
    metrics = createMetrics({ service: 'explorer', processMetrics: false }),
    sync = new SyncState(settings.groups),
    module = {},
    servesApi = true,
    readiness = [],
    ...more
  } = parts ?? {};
  const stream = new LiveStream(settings, reads, clock);
  if (servesApi) streamMetrics(metrics.registry, () => stream.clientCount);
  const served = development ? [...controllers, DevelopmentController] : controllers;
  const areas = servesApi ? served : [];
  return createService({
    ...more,
    name: 'explorer',
    module: {
      imports: [
        ExplorerModule.of(settings, { reads, clock, sync, stream, groupNodes, describe, development }, module, areas),
      ],
    },
    // Public data: pages of every origin may read it.
    http: { ...http, bodyLimit, corsOrigins: ['*'], opennessOf, corsAnswers, routedUrl, errorBody: explorerErrorBody },
    readiness: [databaseReadiness(reads), ...readiness],
    clock,
    logger: logger.child({ service: 'explorer' }),
    metrics,
    configure: (application) => {
      running = application;
      const instance = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
      limitRequests(instance, limits.requestsPerSecond, clock);
      refuseEmptyParts(instance);
      addBrandedPaths(instance, brand);
      // Before the tags, which are of the answer as it is sent.
      brandAnswers(instance, brand);
      // Before the compression: an answer that waits is not compressed yet. Operations that change something have small ones.
      holdUnannounced(instance, new AnswerPermits(clock), isOperation);
      addAnswerHooks(instance, indexLag(reads, clock));
      if (servesApi) addWebPage(instance, (path) => pageStart(path, reads, settings, brand, clock.now(), development));
    },
  });
};
