import { resolve } from 'node:path';
import { z } from 'zod';
import { readConfiguration, secretSetting, textSetting, type Environment } from '@shardnode/core/configuration';
import { busSettings, cacheSettings, databaseSettings, tracingSettings } from '@shardnode/core/process';
import { readMinerAddresses } from '@shardnode/group-node';
import { usualClusterFolder } from '@shardnode/messages/cluster';
import { readNetwork } from '@shardnode/messages/network';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { healthPortsOf, type HealthPorts } from '../health-ports.js';
import { machineSettings, passedSettings } from '../settings.js';

/** Every variable of `npm run cluster`; those of the services are passed on unchanged. */
export const clusterSettings = z.object({
  ...machineSettings,
  DATA_DIR: textSetting({
    description: 'Folder of the passwords and logs, and of the data of `--servers`; created if absent.',
    default: usualClusterFolder,
  }),
  DISK_FOLDER: textSetting({
    description:
      'A folder on the disk of the databases, if it is on this machine. Metrics report its free space. Default: DATA_DIR.',
    optional: true,
  }),
  POSTGRES_URL: secretSetting({
    description: 'PostgreSQL, with a role that may create databases and roles.',
    default: 'postgresql://shardnode:shardnode@127.0.0.1:5432/postgres',
  }),
  NATS_URL: busSettings.NATS_URL,
  NATS_NAMESPACE: busSettings.NATS_NAMESPACE,
  NATS_USER: busSettings.NATS_USER,
  NATS_PASSWORD: busSettings.NATS_PASSWORD,
  NATS_TLS_CA: busSettings.NATS_TLS_CA,
  NATS_TLS_CERT: busSettings.NATS_TLS_CERT,
  NATS_TLS_KEY: busSettings.NATS_TLS_KEY,
  DATABASE_TLS_CA: databaseSettings.DATABASE_TLS_CA,
  REDIS_URL: secretSetting({
    description: 'Redis; without it the cache of the gateway is in memory.',
    default: 'redis://127.0.0.1:6379',
  }),
  REDIS_USER: cacheSettings.REDIS_USER,
  REDIS_PASSWORD: cacheSettings.REDIS_PASSWORD,
  REDIS_TLS_CA: cacheSettings.REDIS_TLS_CA,
  ...passedSettings,
  ...tracingSettings,
});

export type ClusterSettings = z.output<typeof clusterSettings>;

/** The settings of the environment, with every file that they name read and checked. */
export interface ClusterConfiguration {
  readonly settings: ClusterSettings;
  readonly network: NetworkSettings;
  /** Absolute path. */
  readonly dataDir: string;
  readonly healthPorts: HealthPorts;
}

/** @throws ConfigurationError */
export const readClusterConfiguration = (environment: Environment): ClusterConfiguration => {
  const settings = readConfiguration(clusterSettings, environment);
  const network = readNetwork(settings);
  readMinerAddresses(settings.MINER_ADDRESSES, network.groups);
  return {
    settings,
    network,
    dataDir: resolve(settings.DATA_DIR),
    healthPorts: healthPortsOf(settings, network.groups),
  };
};
