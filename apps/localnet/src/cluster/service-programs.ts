import { fileURLToPath } from 'node:url';
import { type z } from 'zod';
import { fileSettingOf, variablesOf, type Environment } from '@shardnode/core/configuration';
import { explorerDatabase, groupDatabase, walletDatabase } from '@shardnode/messages/credentials';
import { explorerSettings } from '@shardnode/explorer';
import { gatewaySettings } from '@shardnode/gateway';
import { groupNodeSettings } from '@shardnode/group-node';
import { walletServiceSettings } from '@shardnode/wallet-service';
import { type ServiceProgram } from '../child-service.js';
import { type ClusterCredentials } from './credentials.js';
import { clusterSettings } from './settings.js';

export interface ClusterParts {
  /** The environment of the person at the terminal. */
  readonly environment: Environment;
  /** Defaults of the cluster that differ from those of the services, and the servers of `--servers`. */
  readonly common: Readonly<Record<string, string>>;
  /** By name, without passwords. */
  readonly databases: Readonly<Record<string, string>>;
  readonly credentials: Pick<ClusterCredentials, 'folder' | 'variablesOf'>;
  readonly groups: number;
  /** Port of the API. */
  readonly port: number;
  /** Where the explorer listens; undefined: there is none. */
  readonly explorer: { readonly host: string; readonly port: number } | undefined;
  /** By group, then that of the wallet-service. */
  readonly healthPorts: readonly number[];
}

const ourNames = new Set(
  [clusterSettings, explorerSettings, gatewaySettings, groupNodeSettings, walletServiceSettings].flatMap((schema) =>
    variablesOf(schema),
  ),
);
const clusterNames = new Set(variablesOf(clusterSettings));

const programOf = (app: string): string =>
  fileURLToPath(new URL(`../../../${app}/dist/main.js`, import.meta.url)).replace('/localnet/src/', '/localnet/dist/');

/**
 * The environment of a service: the variables of the system unchanged, our variables that both the cluster and the
 * service know, and the service's own variables. No service sees the database of another one.
 */
const environmentOf = (
  schema: z.ZodObject,
  service: string,
  { environment, common, credentials }: Pick<ClusterParts, 'environment' | 'common' | 'credentials'>,
  own: Readonly<Record<string, string>>,
): Record<string, string> => {
  const known = variablesOf(schema);
  const isPassed = (name: string): boolean => !ourNames.has(name) || (clusterNames.has(name) && known.includes(name));
  const decided = { ...common, ...credentials.variablesOf(service), ...own };
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && isPassed(name)) all[name] = value;
  }
  for (const [name, value] of Object.entries(decided)) {
    // A value of the person, direct or as a file, would contradict this one.
    const setting = name.replace(/_FILE$/, '');
    for (const other of [setting, fileSettingOf(setting)]) if (!(other in decided)) delete all[other];
    if (name in own || isPassed(name)) all[name] = value;
  }
  return all;
};

const databaseOf = ({ databases, credentials }: ClusterParts, name: string): Record<string, string> => ({
  DATABASE_URL: databases[name]!,
  DATABASE_PASSWORD_FILE: credentials.folder.pathOf(`database/${name}`),
});

/** The group-nodes of a cluster, by group. */
export const groupNodePrograms = (parts: ClusterParts): ServiceProgram[] =>
  Array.from({ length: parts.groups }, (_, group) => ({
    name: `group-node-${group}`,
    file: programOf('group-node'),
    environment: environmentOf(groupNodeSettings, `group-node-${group}`, parts, {
      GROUP: String(group),
      HEALTH_PORT: String(parts.healthPorts[group]),
      ...databaseOf(parts, groupDatabase(group)),
    }),
    portSetting: 'HEALTH_PORT',
  }));

const explorerPrograms = (parts: ClusterParts): ServiceProgram[] => {
  if (parts.explorer === undefined) return [];
  const { host, port } = parts.explorer;
  const own = { EXPLORER_HOST: host, EXPLORER_PORT: String(port), ...databaseOf(parts, explorerDatabase) };
  return [
    {
      name: 'explorer',
      file: programOf('explorer'),
      environment: environmentOf(explorerSettings, 'explorer', parts, own),
      portSetting: 'EXPLORER_PORT',
    },
  ];
};

/** The services that send requests to the group-nodes; the gateway is the last one. */
export const askingPrograms = (parts: ClusterParts): ServiceProgram[] => [
  ...explorerPrograms(parts),
  {
    name: 'wallet-service',
    file: programOf('wallet-service'),
    environment: environmentOf(walletServiceSettings, 'wallet-service', parts, {
      HEALTH_PORT: String(parts.healthPorts[parts.groups]),
      ...databaseOf(parts, walletDatabase),
    }),
    portSetting: 'HEALTH_PORT',
  },
  {
    name: 'gateway',
    file: programOf('gateway'),
    environment: environmentOf(gatewaySettings, 'gateway', parts, { PORT: String(parts.port) }),
    portSetting: 'PORT',
  },
];
