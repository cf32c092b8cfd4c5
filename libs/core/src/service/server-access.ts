import { type NatsAccess } from '../bus/index.js';
import { type RedisAccess } from '../cache/index.js';
import { secretReader, type SecretOf, type SecretReader } from '../configuration/index.js';
import { type DatabaseAccess } from '../database/index.js';
import { tlsReader } from '../tls/index.js';

export type BusAccessSettings = SecretOf<'NATS_PASSWORD'> & {
  readonly NATS_URL: readonly string[];
  readonly NATS_USER: string | undefined;
  readonly NATS_TLS_CA: string | undefined;
  readonly NATS_TLS_CERT: string | undefined;
  readonly NATS_TLS_KEY: string | undefined;
};

/** Access to the bus from settings. @throws ConfigurationError for a file of TLS that cannot be read */
export const busAccess = (settings: BusAccessSettings): NatsAccess => ({
  servers: settings.NATS_URL,
  user: settings.NATS_USER,
  password: secretReader(settings, 'NATS_PASSWORD'),
  tls: tlsReader('NATS_TLS', {
    ca: settings.NATS_TLS_CA,
    cert: settings.NATS_TLS_CERT,
    key: settings.NATS_TLS_KEY,
  }),
});

/** The password setting, or the password in an address file, which may have changed. */
const passwordOf =
  (password: SecretReader, url: SecretReader): SecretReader =>
  () => {
    const own = password();
    if (own !== undefined) return own;
    const address = url() ?? '';
    const ofUrl = URL.canParse(address) ? new URL(address).password : '';
    return ofUrl === '' ? undefined : decodeURIComponent(ofUrl);
  };

export type DatabaseAccessSettings = SecretOf<'DATABASE_PASSWORD'> & {
  readonly DATABASE_URL: string;
  readonly DATABASE_URL_FILE?: string | undefined;
  readonly DATABASE_TLS_CA: string | undefined;
};

/** Access to the database from settings. @throws ConfigurationError for a file of TLS that cannot be read */
export const databaseAccess = (settings: DatabaseAccessSettings): DatabaseAccess => ({
  url: settings.DATABASE_URL,
  password: passwordOf(secretReader(settings, 'DATABASE_PASSWORD'), secretReader(settings, 'DATABASE_URL')),
  tls: tlsReader('DATABASE_TLS', { ca: settings.DATABASE_TLS_CA }),
});

export type RedisAccessSettings = SecretOf<'REDIS_URL'> &
  SecretOf<'REDIS_PASSWORD'> & {
    readonly REDIS_USER: string | undefined;
    readonly REDIS_TLS_CA: string | undefined;
  };

/**
 * Access to Redis from settings; undefined without Redis.
 * @throws ConfigurationError for a file of TLS that cannot be read
 */
export const redisAccess = (settings: RedisAccessSettings): RedisAccess | undefined =>
  settings.REDIS_URL === undefined
    ? undefined
    : {
        url: settings.REDIS_URL,
        user: settings.REDIS_USER,
        password: passwordOf(secretReader(settings, 'REDIS_PASSWORD'), secretReader(settings, 'REDIS_URL')),
        tls: tlsReader('REDIS_TLS', { ca: settings.REDIS_TLS_CA }),
      };
