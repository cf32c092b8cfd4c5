import { busAccounts } from '../bus-accounts.js';

/** A secret of a network: its server and its user. */
export interface NetworkCredential {
  /** Name of the file in the folder of credentials. */
  readonly name: string;
  readonly server: 'postgres' | 'nats' | 'redis' | 'gateway';
  /** Role or user of the server; for the gateway: the role of the key of its clients. */
  readonly user: string;
}

export const groupDatabase = (group: number): string => `shardnode_group_${group}`;
export const walletDatabase = 'shardnode_wallet';
export const explorerDatabase = 'shardnode_explorer';

/** Databases of the services of a network, each owned by a role of the same name. */
export const serviceDatabases = (groups: number): readonly string[] => [
  ...Array.from({ length: groups }, (_, group) => groupDatabase(group)),
  walletDatabase,
  explorerDatabase,
];

/** The role that only reads the database of the explorer (protocol 08 §9). */
export const explorerReader = 'shardnode_explorer_reader';

/** Roles of the services' databases, in display order. */
export const databaseRoles = (groups: number): readonly string[] => [...serviceDatabases(groups), explorerReader];

/** Users of Redis. */
export const redisUsers = ['gateway', 'admin'] as const;
export type RedisUser = (typeof redisUsers)[number];

/** Files of the API keys, by role. */
const apiKeys = { operate: 'api-key', wallets: 'api-key-wallets', read: 'api-key-read' } as const;

const credential = (server: NetworkCredential['server'], folder: string, user: string): NetworkCredential => ({
  name: `${folder}/${user}`,
  server,
  user,
});

/** All secrets of a network, in display order. */
export const networkCredentials = (groups: number): readonly NetworkCredential[] => [
  ...['admin', ...databaseRoles(groups)].map((role) => credential('postgres', 'database', role)),
  ...busAccounts('any', groups).map(({ user }) => credential('nats', 'nats', user)),
  ...redisUsers.map((user) => credential('redis', 'redis', user)),
  ...Object.entries(apiKeys).map(([role, name]) => ({ name, server: 'gateway', user: role }) as const),
];
