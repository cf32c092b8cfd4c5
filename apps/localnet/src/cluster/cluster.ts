import { join } from 'node:path';
import { forgetCache } from '@shardnode/core/cache';
import { type Environment } from '@shardnode/core/configuration';
import { type DatabaseAccess } from '@shardnode/core/database';
import { tlsReader } from '@shardnode/core/tls';
import { serviceDatabases } from '@shardnode/messages/credentials';
import { ChildService, type ServiceProgram } from '../child-service.js';
import { linkedPlaces } from '../linked-places.js';
import { askingPrograms, groupNodePrograms, type ClusterParts } from './service-programs.js';
import { type ClusterCredentials } from './credentials.js';
import { dropDatabases, openDatabases } from './service-databases.js';
import { type ServerUrls } from './server-checks.js';
import { type ClusterConfiguration } from './settings.js';

export interface ClusterOptions {
  readonly configuration: ClusterConfiguration;
  readonly environment: Environment;
  /** Available servers; `REDIS_URL` undefined: the gateway caches in memory. */
  readonly urls: Omit<ServerUrls, 'REDIS_URL'> & { readonly REDIS_URL: string | undefined };
  readonly credentials: ClusterCredentials;
  readonly healthPorts: readonly number[];
  /** Start over with empty databases. */
  readonly reset: boolean;
  /** A line of progress. */
  readonly progress: (line: string) => void;
  /** Writes a line that needs a person's attention. */
  readonly print: (line: string) => void;
}

/** The processes of a network. */
export interface Cluster {
  /** Port of the API. */
  readonly port: number;
  /** Port of the explorer; undefined: there is none. */
  readonly explorerPort: number | undefined;
  /** The services besides the gateway. */
  readonly inner: readonly { readonly name: string; readonly port: number }[];
  readonly logs: string;
  /** All services, for hold, release and restart. */
  readonly services: readonly ChildService[];
  start(): Promise<void>;
  /** Stops gateway and wallet-service first, then the group-nodes. */
  stop(): Promise<void>;
}

const partsOf = async (options: ClusterOptions): Promise<ClusterParts> => {
  const { configuration, credentials, urls, environment, healthPorts } = options;
  const { settings, network } = configuration;
  const admin: DatabaseAccess = {
    url: urls.POSTGRES_URL,
    tls: tlsReader('DATABASE_TLS', { ca: settings.DATABASE_TLS_CA }),
  };
  const names = serviceDatabases(network.groups);
  const places = linkedPlaces(settings);
  if (options.reset) {
    options.progress(`Dropping the databases ${names.join(', ')}: the chain and the wallets are deleted`);
    await dropDatabases({ admin, names });
    if (urls.REDIS_URL !== undefined) await forgetCache(credentials.redis(urls.REDIS_URL), settings.NATS_NAMESPACE);
  }
  return {
    environment,
    credentials,
    databases: await openDatabases({
      admin,
      names,
      passwordOf: (name) => credentials.folder.read(`database/${name}`),
    }),
    groups: configuration.network.groups,
    port: configuration.settings.PORT,
    explorer: settings.EXPLORER === 'on' ? { host: settings.HOST, port: settings.EXPLORER_PORT } : undefined,
    healthPorts,
    common: {
      NATS_URL: urls.NATS_URL.join(','),
      NATS_NAMESPACE: configuration.settings.NATS_NAMESPACE,
      REDIS_URL: urls.REDIS_URL ?? '',
      HOST: configuration.settings.HOST,
      EXPLORER_URL: places.explorerUrl ?? '',
      NODE_API_URL: places.nodeApiUrl ?? '',
      CORS_ORIGINS: configuration.settings.CORS_ORIGINS.join(','),
      DISK_FOLDER: settings.DISK_FOLDER ?? configuration.dataDir,
    },
  };
};

const startAll = async (services: readonly ChildService[], progress: (line: string) => void): Promise<void> => {
  await Promise.all(
    services.map(async (service) => {
      const { port, startedInMs } = await service.start();
      progress(`  ${service.name.padEnd(14)}  port ${String(port).padEnd(5)}  ${startedInMs} ms`);
    }),
  );
};

const stopAll = async (services: readonly ChildService[]): Promise<void> => {
  await Promise.all(services.map((service) => service.stop()));
};

/** Creates missing databases, and the processes over them. */
export const openCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const parts = await partsOf(options);
  const logs = join(options.configuration.dataDir, 'logs');
  const serviceOf = (program: ServiceProgram): ChildService =>
    new ChildService(program, { logFile: join(logs, `${program.name}.log`), print: options.print });
  const groupNodes = groupNodePrograms(parts).map(serviceOf);
  const asking = askingPrograms(parts).map(serviceOf);
  const gateway = asking.at(-1)!;
  return {
    logs,
    services: [...groupNodes, ...asking],
    get port() {
      return gateway.port;
    },
    get explorerPort() {
      return asking.find(({ name }) => name === 'explorer')?.port;
    },
    get inner() {
      return [...groupNodes, ...asking.slice(0, -1)].map(({ name, port }) => ({ name, port }));
    },
    // Group-nodes first: one that finds another cluster on its database ends, before any request was sent.
    start: async () => {
      await startAll(groupNodes, options.progress);
      await startAll(asking, options.progress);
    },
    stop: async () => {
      await stopAll(asking);
      await stopAll(groupNodes);
    },
  };
};
