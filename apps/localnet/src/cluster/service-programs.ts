import { fileURLToPath } from 'node:url';
import { type z } from 'zod';
import { fileSettingOf, variablesOf, type Environment } from '@shardnode/core/configuration';
import { gatewaySettings } from '@shardnode/gateway';
import { groupNodeSettings } from '@shardnode/group-node';
import { walletServiceSettings } from '@shardnode/wallet-service';
import { clusterSettings } from './settings.js';

/** A service as a program with its environment. */
export interface ServiceProgram {
  readonly name: string;
  /** Its built main.js. */
  readonly file: string;
  /** All variables that it gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** The variable of its port. */
  readonly portSetting: 'PORT' | 'HEALTH_PORT';
}

export interface ClusterParts {
  /** What the person at the terminal has set. */
  readonly environment: Environment;
  /** Defaults of the cluster that differ from those of the services, and what `--servers` has started. */
  readonly common: Readonly<Record<string, string>>;
  readonly databases: Readonly<Record<string, string>>;
  readonly groups: number;
  /** Port of the API. */
  readonly port: number;
  /** By group, then that of the wallet-service. */
  readonly healthPorts: readonly number[];
}

export const groupDatabase = (group: number): string => `shardnode_group_${group}`;
export const walletDatabase = 'shardnode_wallet';

/** Databases, and their roles, of a cluster. */
export const databaseNames = (groups: number): readonly string[] => [
  ...Array.from({ length: groups }, (_, group) => groupDatabase(group)),
  walletDatabase,
];

const ourNames = new Set(
  [clusterSettings, gatewaySettings, groupNodeSettings, walletServiceSettings].flatMap((schema) => variablesOf(schema)),
);
const clusterNames = new Set(variablesOf(clusterSettings));

const programOf = (app: string): string =>
  fileURLToPath(new URL(`../../../${app}/dist/main.js`, import.meta.url)).replace('/localnet/src/', '/localnet/dist/');

/**
 * The environment of a service: what belongs to the system as it is, of our variables those that both the cluster and the
 * service know, and what is its alone. No service sees another one's database.
 */
const environmentOf = (
  schema: z.ZodObject,
  { environment, common }: Pick<ClusterParts, 'environment' | 'common'>,
  own: Readonly<Record<string, string>>,
): Record<string, string> => {
  const known = variablesOf(schema);
  const decided = { ...common, ...own };
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...environment, ...common })) {
    const isPassed = !ourNames.has(name) || (clusterNames.has(name) && known.includes(name));
    if (value !== undefined && isPassed) all[name] = value;
  }
  // A file that the person names for what is decided here would be a second answer.
  for (const name of Object.keys(decided)) delete all[fileSettingOf(name)];
  return { ...all, ...own };
};

/** The group-nodes of a cluster, by group. */
export const groupNodePrograms = (parts: ClusterParts): ServiceProgram[] =>
  Array.from({ length: parts.groups }, (_, group) => ({
    name: `group-node-${group}`,
    file: programOf('group-node'),
    environment: environmentOf(groupNodeSettings, parts, {
      GROUP: String(group),
      HEALTH_PORT: String(parts.healthPorts[group]),
      DATABASE_URL: parts.databases[groupDatabase(group)]!,
    }),
    portSetting: 'HEALTH_PORT',
  }));

/** The services that ask the group-nodes. */
export const askingPrograms = (parts: ClusterParts): ServiceProgram[] => [
  {
    name: 'wallet-service',
    file: programOf('wallet-service'),
    environment: environmentOf(walletServiceSettings, parts, {
      HEALTH_PORT: String(parts.healthPorts[parts.groups]),
      DATABASE_URL: parts.databases[walletDatabase]!,
    }),
    portSetting: 'HEALTH_PORT',
  },
  {
    name: 'gateway',
    file: programOf('gateway'),
    environment: environmentOf(gatewaySettings, parts, { PORT: String(parts.port) }),
    portSetting: 'PORT',
  },
];
