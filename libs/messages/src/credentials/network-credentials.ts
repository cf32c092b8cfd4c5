import { busAccounts } from '../bus-accounts.js';

/** A secret of a network: its server and its user. */
export interface NetworkCredential {
  /** Name of the file in the folder of credentials. */
  readonly name: string;
  readonly server: 'postgres' | 'nats' | 'redis' | 'gateway';
  /** Role or user of the server; for the gateway: the API key of its clients. */
  readonly user: string;
}

export const groupDatabase = (group: number): string => `shardnode_group_${group}`;
export const walletDatabase = 'shardnode_wallet';

/** Databases of the services of a network, each owned by a role of the same name. */
export const serviceDatabases = (groups: number): readonly string[] => [
  ...Array.from({ length: groups }, (_, group) => groupDatabase(group)),
  walletDatabase,
];

/** Users of Redis. */
export const redisUsers = ['gateway', 'admin'] as const;
export type RedisUser = (typeof redisUsers)[number];

const apiKeyName = 'api-key';

const credential = (server: NetworkCredential['server'], folder: string, user: string): NetworkCredential => ({
  name: `${folder}/${user}`,
  server,
  user,
});

/** All secrets of a network, in display order. */
export const networkCredentials = (groups: number): readonly NetworkCredential[] => [
  ...['admin', ...serviceDatabases(groups)].map((role) => credential('postgres', 'database', role)),
  ...busAccounts('any', groups).map(({ user }) => credential('nats', 'nats', user)),
  ...redisUsers.map((user) => credential('redis', 'redis', user)),
  { name: apiKeyName, server: 'gateway', user: 'clients' },
];
