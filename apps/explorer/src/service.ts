import { randomUUID } from 'node:crypto';
import { busMetrics, type BusNetwork, busReadiness } from '@shardnode/core/bus';
import { type Database, databaseMetrics, diskMetrics } from '@shardnode/core/database';
import { type Clock } from '@shardnode/core/lifecycle';
import { createMetrics, type Logger, type Metrics } from '@shardnode/core/observability';
import { type ReadinessCheck } from '@shardnode/core/http-server';
import { type RunningService } from '@shardnode/core/service';
import { developmentClient, explorerRouting, groupClient, livePublisher } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { auditMetrics } from './rule-audit/audit-metrics.js';
import { auditState } from './rule-audit/findings.js';
import { UtilsController } from './api/utils.controller.js';
import { type ExplorerChoices } from './configuration.js';
import { type DevelopmentAccount, toolsOverBus } from './development/development-tools.js';
import { explorerApi, type ExplorerApiConfiguration } from './explorer-api.js';
import { FeedHandlers, supervisorOfProcess } from './following/feed-handlers.js';
import { type FollowingMetrics, followingMetrics } from './following/following-metrics.js';
import { SyncState } from './following/sync-state.js';
import { IndexerSupervisor } from './following/indexer-supervisor.js';
import { schemaProblem } from './index-store/schema-state.js';
import { backgroundJobs } from './jobs/jobs.js';
import { LiveChanges } from './live/live-changes.js';
import { LiveHandlers } from './live/live-handlers.js';
import { openInputs } from './reads/info-reads.js';
import { Reads } from './database/reads.js';
import { lastIndexCheck } from './index-check/last-index-check.js';
import { indexCheckMetrics } from './index-check/index-check-metrics.js';

export interface ExplorerConfiguration extends ExplorerChoices {
  /** Name of the network and cluster on the bus. */
  readonly ns: string;
  readonly network: NetworkSettings;
  /** Port 0 takes a free port. */
  readonly http: ExplorerApiConfiguration['http'];
  /** Drops the index at the start and builds it again. */
  readonly resync?: boolean;
  /** Memory and event loop metrics of the process; for one service of a process. */
  readonly processMetrics?: boolean;
  /** A folder on the disk of its database, if that is on this machine: metrics report the free space of the disk. */
  readonly diskFolder?: string | undefined;
  readonly commit?: string;
}

export interface ExplorerPorts {
  readonly network: BusNetwork;
  /** The index; its opener closes it. */
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The explorer must end: another network, or a schema of a newer program. */
  readonly onFatal?: (error: Error) => void;
  /** Of a development network on one machine, whose gateway answers `development`; default: no operations of `/development`. */
  readonly developmentAccounts?: readonly DevelopmentAccount[] | undefined;
}

/** Metrics of the process; what is in the index is measured when they are read. */
const measure = (
  { processMetrics = false, diskFolder, statementTimeoutMs }: ExplorerConfiguration,
  database: Database,
): { readonly metrics: Metrics; readonly following: FollowingMetrics } => {
  const metrics = createMetrics({ service: 'explorer', processMetrics });
  const { registry } = metrics;
  const reads = new Reads(database, statementTimeoutMs);
  databaseMetrics(registry, database);
  if (diskFolder !== undefined) diskMetrics(registry, diskFolder);
  auditMetrics(registry, () => reads.of(auditState).catch(() => undefined));
  indexCheckMetrics(registry, () => reads.of(lastIndexCheck).catch(() => undefined));
  return { metrics, following: followingMetrics(registry, () => reads.of(openInputs).catch(() => undefined)) };
};

const schemaReadiness = (database: Database): ReadinessCheck => ({
  name: 'schema',
  action: 'A writer of this version creates it; start one with EXPLORER_MODE=writer or all.',
  notReadyBecause: () => schemaProblem(database),
});

/** The index and the API of a network's chains (protocol 08); `mode` says which of both. */
export const create = async (configuration: ExplorerConfiguration, ports: ExplorerPorts): Promise<RunningService> => {
  const { ns, network, mode, http, resync = false, ...choices } = configuration;
  const { database, clock, developmentAccounts, onFatal = () => undefined } = ports;
  const { groups } = network;
  const logger = ports.logger.child({ service: 'explorer' });
  const { metrics, following } = measure(configuration, database);
  const connection = await ports.network.join({
    sender: { service: 'explorer' },
    routing: explorerRouting(ns, groups),
    logger,
    observer: busMetrics(metrics.registry),
  });
  const servesApi = mode !== 'writer';
  const sync = new SyncState(groups);
  const client = groupClient(connection.bus, { ns, groups });
  const development =
    developmentAccounts && toolsOverBus(developmentClient(connection.bus, { ns }), developmentAccounts);
  const supervisor =
    mode === 'reader'
      ? undefined
      : new IndexerSupervisor({
          database,
          network,
          client,
          clock,
          logger,
          metrics: following,
          state: sync,
          live: new LiveChanges(randomUUID(), livePublisher(connection.bus, ns), clock),
          jobs: backgroundJobs(network, choices, development),
          resync,
          onFatal,
        });
  return explorerApi(
    { ...choices, groups, blockTargetTimeMs: Number(network.blockTargetTime), http },
    { database, clock, logger: ports.logger, groupNodes: client, development },
    {
      metrics,
      sync,
      servesApi,
      module: {
        controllers: [FeedHandlers, ...(servesApi ? [LiveHandlers] : []), ...(supervisor ? [UtilsController] : [])],
        providers: [{ provide: supervisorOfProcess, useValue: supervisor }],
      },
      server: connection.server,
      identity: () => ({ namespace: ns, bus: connection.busId }),
      readiness: [busReadiness(connection), schemaReadiness(database)],
      beforeListening: async () => supervisor?.start(),
      afterClosing: async () => {
        await supervisor?.stop();
        await connection.close();
      },
    },
  );
};
