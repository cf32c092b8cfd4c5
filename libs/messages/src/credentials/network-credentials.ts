import { busAccounts } from '../bus-accounts.js';

/** What holds a secret of a network: who takes it and what it lets in. */
export interface NetworkCredential {
  /** Of the file in the folder of credentials. */
  readonly name: string;
  readonly server: 'postgres' | 'nats' | 'redis' | 'gateway';
  /** Role or user that the server knows; for the gateway: the key of its clients. */
  readonly user: string;
}

export const groupDatabase = (group: number): string => `shardnode_group_${group}`;
export const walletDatabase = 'shardnode_wallet';

/** Databases of the services of a network, each with a role of its name that owns it. */
export const serviceDatabases = (groups: number): readonly string[] => [
  ...Array.from({ length: groups }, (_, group) => groupDatabase(group)),
  walletDatabase,
];

/** Who may do what on Redis. */
export const redisUsers = ['gateway', 'admin'] as const;
export type RedisUser = (typeof redisUsers)[number];

const apiKeyName = 'api-key';

const credential = (server: NetworkCredential['server'], folder: string, user: string): NetworkCredential => ({
  name: `${folder}/${user}`,
  server,
  user,
});

/** All secrets of a network, in the order in which they are shown. */
export const networkCredentials = (groups: number): readonly NetworkCredential[] => [
  ...['admin', ...serviceDatabases(groups)].map((role) => credential('postgres', 'database', role)),
  ...busAccounts('any', groups).map(({ user }) => credential('nats', 'nats', user)),
  ...redisUsers.map((user) => credential('redis', 'redis', user)),
  { name: apiKeyName, server: 'gateway', user: 'clients' },
];
