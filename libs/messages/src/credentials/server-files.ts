import { createHash } from 'node:crypto';
import { busAccounts, renderBusAccounts } from '../bus-accounts.js';
import { type RedisUser } from './network-credentials.js';

export interface NatsConfigurationOptions {
  readonly namespace: string;
  readonly groups: number;
  readonly host: string;
  readonly port: number;
  /** Files of the server's certificate, where the server finds them. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** By user. */
  readonly passwords: Readonly<Record<string, string>>;
}

/** The largest block travels whole. */
const maxPayload = 'max_payload: 8MB';

/** The configuration of a NATS server with a user for each service. @throws Error for a password that it cannot hold */
export const renderNatsConfiguration = (options: NatsConfigurationOptions): string => {
  const { namespace, groups, host, port, tls, passwords } = options;
  const secured = tls === undefined ? [] : [`tls {\n  cert_file: "${tls.cert}"\n  key_file: "${tls.key}"\n}`];
  const lines = [`host: "${host}"`, `port: ${port}`, maxPayload, ...secured];
  return `${lines.join('\n')}\n${renderBusAccounts(busAccounts(namespace, groups), passwords)}`;
};

/**
 * What a user of Redis may do, as rules of its access lists. The gateway reads and writes values and counts,
 * and runs no scripts; it reaches the keys of its own network alone. INFO is what the client library asks for when
 * it connects; that it may not tell its own name (CLIENT, which older servers lack) it does not mind.
 */
export const redisRules = (user: RedisUser, namespace: string): readonly string[] =>
  user === 'admin'
    ? ['~*', '&*', '+@all']
    : [
        `~${namespace}:*`,
        'resetchannels',
        '-@all',
        ...['get', 'set', 'del', 'incrby', 'pttl', 'ping', 'info', 'hello'].map((name) => `+${name}`),
      ];

/** What Redis keeps of a password. */
export const redisHash = (password: string): string => `#${createHash('sha256').update(password).digest('hex')}`;

/**
 * A file of Redis' access lists: nobody without a password, no password in it. @param passwords several count side by side
 */
export const renderRedisUsers = (namespace: string, passwords: Readonly<Record<RedisUser, string>>): string =>
  [
    'user default off',
    ...(Object.entries(passwords) as [RedisUser, string][]).map(([user, password]) =>
      ['user', user, 'on', redisHash(password), ...redisRules(user, namespace)].join(' '),
    ),
    '',
  ].join('\n');
