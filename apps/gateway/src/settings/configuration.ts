import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  ConfigurationError,
  flagSetting,
  hostSetting,
  listSetting,
  portSetting,
  readConfiguration,
  secretSetting,
  textSetting,
  wholeNumberSetting,
  type Environment,
} from '@shardnode/core/configuration';
import { isLoopback } from '@shardnode/core/hosts';
import { connectionLimits, type ConnectionLimits } from '@shardnode/core/http-limits';
import {
  busSettings,
  cacheSettings,
  checkProxies,
  hostNamesSetting,
  processSettings,
  tracingSettings,
  trustProxySetting,
} from '@shardnode/core/process';
import { type Brand } from '@shardnode/http';
import { brandOf, brandSettings } from '@shardnode/http/brand-settings';
import { pageAddressSetting } from '@shardnode/http/page-address-setting';
import { networkSettings, readNetwork } from '@shardnode/messages/network';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { keySettings, type Role, roles } from '../access/roles.js';
import { type ApiProfile, type ApiProfileName } from './api-settings.js';

/** Shortest key (protocol 07 §1.12). */
export const apiKeyMinLength = 32;

const keySetting = (description: string) => secretSetting({ description, minLength: apiKeyMinLength, optional: true });

/** Also of networks on one machine, with another default. */
export const corsOriginsSetting = (byDefault: readonly string[]) =>
  listSetting({
    description:
      'Origins whose web pages may call the API, without credentials; a port `*` is any port. `*` alone is any page, but only for operations that a key for reading may call. Requests of other pages get 403; programs send no origin.',
    default: byDefault,
    pattern: /^(\*|https?:\/\/[^/]+)$/,
    expects: 'origins like https://wallet.example separated by commas, or *',
  });

/** Every variable of the gateway (00-decisions, 27). */
export const gatewaySettings = z.object({
  HOST: hostSetting({
    description: 'Interface that the HTTP API listens on.',
    default: '127.0.0.1',
    portSetting: 'PORT',
  }),
  PORT: portSetting({ description: 'Port of the HTTP API.', default: 12_973 }),
  WS_PORT: portSetting({
    description:
      'Port of the push of blocks, at /events; 0: a free one. Default: 1000 below PORT, or a free one if that is taken.',
    optional: true,
  }),
  API_KEY: keySetting('Key that clients send in the header X-API-KEY; for every operation.'),
  API_KEY_WALLETS: keySetting(
    'A second key, which reads, uses the wallets and submits transactions, but neither mines nor changes the node. Needs an API_KEY.',
  ),
  API_KEY_READ: keySetting(
    'A key that reads, builds transactions and calls contracts, but sees no wallet, submits nothing and changes nothing. Needs an API_KEY.',
  ),
  API_KEY_OVERLAP: wholeNumberSetting({
    description:
      'Seconds for which the former key is accepted after API_KEY_FILE, API_KEY_WALLETS_FILE or API_KEY_READ_FILE has changed; a restart or another new key ends it.',
    default: 0,
    min: 0,
    max: 30 * 86_400,
  }),
  API_KEY_REQUIRED: flagSetting({
    description: 'Whether an interface other than loopback requires an API_KEY.',
    default: true,
  }),
  ...brandSettings,
  ...networkSettings,
  CORS_ORIGINS: corsOriginsSetting([]),
  HOST_NAMES: hostNamesSetting,
  EXPLORER_URL: pageAddressSetting(
    'Where browsers find the explorer: the pages of this API link to it. Default: no link; of `npm start` and `npm run cluster` the explorer beside it.',
  ),
  REPORTED_VERSION: textSetting({
    description:
      'Version of the API that /infos/version reports; default: v2.14.9, that of the documented API. /infos/node reports the version of the software.',
    pattern: /^v\d+\.\d+\.\d+$/,
    expects: 'a version like v1.2.3',
    optional: true,
  }),
  RATE_LIMIT: wholeNumberSetting({
    description:
      'Requests a minute from each address; expensive ones count several times, and one second allows a twentieth (at least 100). 0: no limit. Above it: 429 with Retry-After.',
    default: 0,
    min: 0,
    max: 1_000_000,
  }),
  RATE_LIMIT_KEY: wholeNumberSetting({
    description:
      'Requests a minute with each key, all clients together; each also counts for its address. 0: no limit.',
    default: 0,
    min: 0,
    max: 100_000_000,
  }),
  TRUST_PROXY: trustProxySetting,
  MAX_CONNECTIONS: wholeNumberSetting({
    description: 'Concurrent connections; one address may hold half of them, a proxy of TRUST_PROXY all.',
    default: connectionLimits.connections,
    min: 1,
    max: 100_000,
  }),
  REQUEST_TIMEOUT: wholeNumberSetting({
    description: 'Seconds for a request to arrive; its headers have a third of it.',
    default: connectionLimits.requestTimeoutMs / 1_000,
    min: 1,
    max: 600,
  }),
  WALLET_ENABLED: flagSetting({
    description: 'Whether the API has the endpoints of wallets.',
    default: true,
  }),
  ...cacheSettings,
  ...busSettings,
  ...processSettings,
  ...tracingSettings,
});

export type GatewaySettings = z.output<typeof gatewaySettings> & { readonly network: NetworkSettings };

/** The settings of a gateway process. @throws ConfigurationError */
export const readGatewaySettings = (environment: Environment): GatewaySettings => {
  const settings = readConfiguration(gatewaySettings, environment);
  const { HOST: host, API_KEY: apiKey, API_KEY_REQUIRED: apiKeyRequired } = settings;
  checkExposure({ host, apiKey, apiKeyRequired });
  checkKeys({ operate: apiKey, wallets: settings.API_KEY_WALLETS, read: settings.API_KEY_READ });
  checkProxies(settings.TRUST_PROXY);
  return { ...settings, network: readNetwork(settings) };
};

/** The settings of connections, in milliseconds. */
const connectionsOf = (
  settings: Pick<GatewaySettings, 'MAX_CONNECTIONS' | 'REQUEST_TIMEOUT'>,
): Pick<ConnectionLimits, 'connections' | 'requestTimeoutMs' | 'headersTimeoutMs'> => {
  const requestTimeoutMs = settings.REQUEST_TIMEOUT * 1_000;
  return { connections: settings.MAX_CONNECTIONS, requestTimeoutMs, headersTimeoutMs: Math.ceil(requestTimeoutMs / 3) };
};

/** Distance of the default port of the push below that of the API (protocol 07 §1.14). */
const pushBelow = 1_000;

/** The settings of the push: a default port may be replaced by a free one, because no client relies on it. */
export const pushOf = ({
  PORT: port,
  WS_PORT: chosen,
}: Pick<GatewaySettings, 'PORT' | 'WS_PORT'>): { readonly port: number; readonly orAnyPort: boolean } => ({
  port: chosen ?? Math.max(0, port - pushBelow),
  orAnyPort: chosen === undefined,
});

/** The settings of the HTTP server. */
export const httpOf = (
  settings: Pick<
    GatewaySettings,
    'HOST' | 'PORT' | 'TRUST_PROXY' | 'MAX_CONNECTIONS' | 'REQUEST_TIMEOUT' | 'HOST_NAMES'
  >,
) => ({
  host: settings.HOST,
  port: settings.PORT,
  connections: connectionsOf(settings),
  trustedProxies: settings.TRUST_PROXY,
  hostNames: settings.HOST_NAMES,
});

/** The fields of a gateway that follow from its settings, for a process, the embedded network, the simulator and tests. */
export const gatewayChoicesOf = (
  settings: Pick<
    GatewaySettings,
    | 'API_KEY_REQUIRED'
    | 'API_PROFILE'
    | 'COIN_NAME'
    | 'COIN_SYMBOL'
    | 'REPORTED_VERSION'
    | 'LOG_LEVEL'
    | 'RATE_LIMIT'
    | 'RATE_LIMIT_KEY'
    | 'WALLET_ENABLED'
  >,
): GatewayChoices => ({
  apiKeyRequired: settings.API_KEY_REQUIRED,
  brand: brandOf(settings),
  profile: settings.API_PROFILE,
  reportedVersion: settings.REPORTED_VERSION,
  accessLog: settings.LOG_LEVEL === 'debug' || settings.LOG_LEVEL === 'trace',
  rateLimit: settings.RATE_LIMIT,
  rateLimitKey: settings.RATE_LIMIT_KEY,
  walletEnabled: settings.WALLET_ENABLED,
});

export interface GatewayChoices {
  /** Whether an interface other than loopback requires a key. */
  readonly apiKeyRequired: boolean;
  readonly brand: Brand;
  /** A name, or the individual switches. */
  readonly profile: ApiProfileName | ApiProfile;
  /** Version of the API, `v1.2.3`; undefined: that of document 07. */
  readonly reportedVersion: string | undefined;
  /** One log line for each request. */
  readonly accessLog: boolean;
  /** Requests per minute from each address; 0: no limit. */
  readonly rateLimit: number;
  /** Requests per minute with the key; 0: no limit. */
  readonly rateLimitKey: number;
  /** Whether the endpoints of wallets exist. */
  readonly walletEnabled: boolean;
}

/** The fields of a gateway with default settings. */
export const defaultGatewayChoices: GatewayChoices = gatewayChoicesOf(readConfiguration(gatewaySettings, {}));

/**
 * Checks that an interface reachable by others has a key (protocol 07 §1.12; 00-decisions, 11).
 * @throws ConfigurationError
 */
export const checkExposure = (settings: {
  readonly host: string;
  /** Any value that provides a key. */
  readonly apiKey?: unknown;
  readonly apiKeyRequired: boolean;
}): void => {
  if (isLoopback(settings.host) || settings.apiKey !== undefined || !settings.apiKeyRequired) return;
  throw new ConfigurationError([
    `HOST ${settings.host} can be reached from outside, so set API_KEY (for example API_KEY=${randomBytes(32).toString('hex')}), or API_KEY_REQUIRED=false if something else protects it.`,
  ]);
};

/**
 * Checks the keys of roles: one for every operation is among them, and they differ (protocol 07 §1.12).
 * @throws ConfigurationError that names settings, never a key
 */
export const checkKeys = (keys: Readonly<Partial<Record<Role, string | undefined>>>): void => {
  const given = roles.filter((role) => keys[role] !== undefined);
  if (given.length > 0 && !given.includes('operate')) {
    const names = given.map((role) => keySettings[role]).join(' and ');
    throw new ConfigurationError([`${names} cannot be the only key: set API_KEY too, for the other operations.`]);
  }
  const same = given.filter((role) => given.some((other) => other !== role && keys[other] === keys[role]));
  if (same.length === 0) return;
  const names = same.map((role) => keySettings[role]).join(' and ');
  throw new ConfigurationError([`${names} are the same key: give each role a key of its own.`]);
};
