import { createHash } from 'node:crypto';
import { busAccounts, renderBusAccounts } from '../bus-accounts.js';
import { type RedisUser } from './network-credentials.js';

export interface NatsConfigurationOptions {
  readonly namespace: string;
  readonly groups: number;
  readonly host: string;
  readonly port: number;
  /** Certificate and key files, as the server sees their paths. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** By user. */
  readonly passwords: Readonly<Record<string, string>>;
}

/** Fits the largest block in one message. */
const maxPayload = 'max_payload: 8MB';

/**
 * The configuration of a NATS server with a user for each service. @throws Error for a password that it cannot contain
 */
export const renderNatsConfiguration = (options: NatsConfigurationOptions): string => {
  const { namespace, groups, host, port, tls, passwords } = options;
  const secured = tls === undefined ? [] : [`tls {\n  cert_file: "${tls.cert}"\n  key_file: "${tls.key}"\n}`];
  const lines = [`host: "${host}"`, `port: ${port}`, maxPayload, ...secured];
  return `${lines.join('\n')}\n${renderBusAccounts(busAccounts(namespace, groups), passwords)}`;
};

/**
 * Permissions of a Redis user as ACL rules. The gateway reads, writes and counts values of its own network and runs no
 * scripts. The client library sends INFO when it connects. It tolerates that CLIENT, which older servers lack, is refused.
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

/** Password hash as stored by Redis. */
export const redisHash = (password: string): string => `#${createHash('sha256').update(password).digest('hex')}`;

/**
 * A Redis ACL file: no user without a password, and no plain password in it.
 * @param passwords a user may have several valid passwords
 */
export const renderRedisUsers = (namespace: string, passwords: Readonly<Record<RedisUser, string>>): string =>
  [
    'user default off',
    ...(Object.entries(passwords) as [RedisUser, string][]).map(([user, password]) =>
      ['user', user, 'on', redisHash(password), ...redisRules(user, namespace)].join(' '),
    ),
    '',
  ].join('\n');
