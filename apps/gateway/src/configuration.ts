import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  choiceSetting,
  ConfigurationError,
  flagSetting,
  listSetting,
  portSetting,
  readConfiguration,
  secretSetting,
  textSetting,
  wholeNumberSetting,
  type Environment,
} from '@shardnode/core/configuration';
import { busSettings, cacheSettings, processSettings } from '@shardnode/core/process';
import { networkSettings, readNetwork } from '@shardnode/messages/network';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** Shortest key (protocol 07 §1.12). */
export const apiKeyMinLength = 32;

/** Every variable of the gateway (00-decisions, 27). */
export const gatewaySettings = z.object({
  HOST: textSetting({ description: 'Interface that the HTTP API listens on.', default: '127.0.0.1' }),
  PORT: portSetting({ description: 'Port of the HTTP API.', default: 12_973 }),
  API_KEY: secretSetting({
    description: 'Key that clients send in the header X-API-KEY.',
    minLength: apiKeyMinLength,
    optional: true,
  }),
  API_KEY_REQUIRED: flagSetting({
    description: 'Whether an interface other than loopback wants an API_KEY.',
    default: true,
  }),
  API_PROFILE: choiceSetting(['document', 'reference'], {
    description: 'Switches of the API: as documented, or as existing client libraries of this protocol expect.',
    default: 'document',
  }),
  COIN_NAME: textSetting({
    description: 'Name of the coin, part of the field attoCoinAmount.',
    default: 'Coin',
    pattern: /^[A-Za-z][A-Za-z0-9]*$/,
    expects: 'a word of letters and digits',
  }),
  ...networkSettings,
  CORS_ORIGINS: listSetting({
    description: 'Origins whose web pages may call the API; * is any, without credentials.',
    default: [],
    pattern: /^(\*|https?:\/\/[^/]+)$/,
    expects: 'origins like https://wallet.example separated by commas, or *',
  }),
  REPORTED_VERSION: textSetting({
    description: 'Version that /infos/version tells; default: our own.',
    pattern: /^v\d+\.\d+\.\d+$/,
    expects: 'a version like v1.2.3',
    optional: true,
  }),
  RATE_LIMIT: wholeNumberSetting({
    description: 'Requests a minute that each client may send; 0: as many as it likes.',
    default: 0,
    min: 0,
    max: 1_000_000,
  }),
  ...cacheSettings,
  ...busSettings,
  ...processSettings,
});

export type GatewaySettings = z.output<typeof gatewaySettings> & { readonly network: NetworkSettings };

/** The settings of a gateway as a process. @throws ConfigurationError */
export const readGatewaySettings = (environment: Environment): GatewaySettings => {
  const settings = readConfiguration(gatewaySettings, environment);
  const { HOST: host, API_KEY: apiKey, API_KEY_REQUIRED: apiKeyRequired } = settings;
  checkExposure({ host, apiKey, apiKeyRequired });
  return { ...settings, network: readNetwork(settings) };
};

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);

/**
 * An interface that others can reach wants a key (protocol 07 §1.12; 00-decisions, 11).
 * @throws ConfigurationError
 */
export const checkExposure = (settings: {
  readonly host: string;
  readonly apiKey?: string | undefined;
  readonly apiKeyRequired: boolean;
}): void => {
  if (isLoopback(settings.host) || settings.apiKey !== undefined || !settings.apiKeyRequired) return;
  throw new ConfigurationError([
    `HOST ${settings.host} can be reached from outside, so set API_KEY (for example API_KEY=${randomBytes(32).toString('hex')}), or API_KEY_REQUIRED=false if something else protects it.`,
  ]);
};
