import { explorerMigrations } from '@shardnode/explorer';
import { groupNodeMigrations } from '@shardnode/group-node';
import { walletMigrations } from '@shardnode/wallet-service';
import { readConfiguration, type Environment } from '@shardnode/core/configuration';
import {
  type DatabaseAccess,
  type DatabaseHost,
  openDatabaseServer,
  type MigrationSource,
} from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { databaseSettings } from '@shardnode/core/process';
import { databaseAccess } from '@shardnode/core/service';
import {
  explorerDatabase as explorerDatabaseName,
  groupDatabase as groupDatabaseName,
  walletDatabase as walletDatabaseName,
} from '@shardnode/messages/credentials';
import { CommandFailure } from '../command.js';
import { operatorDatabaseSettings } from './settings.js';

/** The database of a service. */
export interface ServiceDatabase {
  /** `group-node-0`, `wallet-service`. */
  readonly service: string;
  /** Name of the database and of its role: `shardnode_group_0`. */
  readonly name: string;
  /** `group_0`, `wallet`. */
  readonly schema: string;
  /** Undefined for the wallets and the explorer. */
  readonly group: number | undefined;
  /** Whether a network may be without it. */
  readonly isOptional: boolean;
  /** Effect of its loss, and the way back. */
  readonly loss: string;
  readonly migrations: MigrationSource;
}

export const groupDatabase = (group: number): ServiceDatabase => ({
  service: `group-node-${group}`,
  name: groupDatabaseName(group),
  schema: `group_${group}`,
  group,
  isOptional: false,
  loss: 'A group alone gets its blocks back from its siblings; of all groups nothing is left.',
  migrations: groupNodeMigrations,
});

export const walletDatabase: ServiceDatabase = {
  service: 'wallet-service',
  name: walletDatabaseName,
  schema: 'wallet',
  group: undefined,
  isOptional: false,
  loss: 'The wallets are gone then: only their words bring them back.',
  migrations: walletMigrations,
};

export const explorerDatabase: ServiceDatabase = {
  service: 'explorer',
  name: explorerDatabaseName,
  schema: 'explorer',
  group: undefined,
  isOptional: true,
  loss: 'The explorer builds its index again from the group-nodes.',
  migrations: explorerMigrations,
};

/** The databases of a whole network. */
export const allDatabases = (groups: number): readonly ServiceDatabase[] => [
  ...Array.from({ length: groups }, (_, group) => groupDatabase(group)),
  walletDatabase,
  explorerDatabase,
];

const names = Object.keys(databaseSettings).flatMap((name) => [name, `${name}_FILE`]);

/** Whether any variable contains an address of databases. */
export const databasesAreNamed = (environment: Environment): boolean =>
  ['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => (environment[name] ?? '').trim() !== '');

/** Whether these variables serve for all databases, or only for one. */
export const databasesAreApart = (environment: Environment): boolean =>
  ['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => (environment[name] ?? '').includes('{database}'));

/** The database that an address names, as PostgreSQL reads it; undefined for an invalid address. */
const nameIn = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined;
  const { pathname, username } = new URL(url);
  return decodeURIComponent(pathname.length > 1 ? pathname.slice(1) : username);
};

const readAccess = (database: ServiceDatabase, environment: Environment): DatabaseAccess => {
  const own = Object.fromEntries(
    names.map((name) => [name, environment[name]?.replaceAll('{database}', database.name)]),
  );
  return databaseAccess(readConfiguration(operatorDatabaseSettings, own));
};

/** The variables name the database of another service. */
export class OtherDatabase extends CommandFailure {
  constructor({ service, name }: ServiceDatabase, found: string) {
    super(
      `DATABASE_URL names the database ${found}, but that of ${service} is ${name}. Nothing was done. Name the one that you mean (--group G, --wallet or --explorer), or set DATABASE_URL to postgresql://{database}@HOST:5432/{database}, which serves for all.`,
    );
    this.name = 'OtherDatabase';
  }
}

/**
 * Access to the database of a service: DATABASE_URL and the others with its name inserted.
 * @throws ConfigurationError, OtherDatabase
 */
export const accessOf = (database: ServiceDatabase, environment: Environment): DatabaseAccess => {
  const access = readAccess(database, environment);
  const found = nameIn(access.url);
  if (found !== undefined && found !== database.name) throw new OtherDatabase(database, found);
  return access;
};

/**
 * The databases that the variables serve for: all, or the one that DATABASE_URL names; none when it names no service's.
 */
export const reachedDatabases = (environment: Environment, groups: number): readonly ServiceDatabase[] => {
  const all = allDatabases(groups);
  if (databasesAreApart(environment)) return all;
  return all.filter((one) => nameIn(readAccess(one, environment).url) === one.name);
};

/** Connects at the first use. @throws ConfigurationError, OtherDatabase */
export const openServiceDatabase = (database: ServiceDatabase, environment: Environment): DatabaseHost =>
  openDatabaseServer({
    ...accessOf(database, environment),
    applicationName: 'operator',
    readConnections: 1,
    logger: silentLogger,
  });
