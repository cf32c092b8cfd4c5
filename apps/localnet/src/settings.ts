import { resolve } from 'node:path';
import { z } from 'zod';
import {
  choiceSetting,
  flagSetting,
  portSetting,
  readConfiguration,
  textSetting,
  type Environment,
} from '@shardnode/core/configuration';
import { logLevels } from '@shardnode/core/observability';
import { hostNamesSetting, processSettings } from '@shardnode/core/process';
import { corsOriginsSetting, gatewaySettings } from '@shardnode/gateway';
import { firstHealthPort, groupNodeSettings, readMinerAddresses, recentHeightsSetting } from '@shardnode/group-node';
import { pageAddressSetting } from '@shardnode/http/page-address-setting';
import { networkSettings, readNetwork } from '@shardnode/messages/network';
import { keyDerivationsSetting, walletServiceSettings } from '@shardnode/wallet-service';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { healthPortsOf, type HealthPorts } from './health-ports.js';

const { shape: gateway } = gatewaySettings;
const { shape: groupNode } = groupNodeSettings;

/** Pages that somebody writes on this machine; no page from elsewhere has one of these origins. */
const originsOfThisMachine = ['http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'];

/** Variables of a network on one machine, in one process or several: those that its services do not have themselves. */
export const machineSettings = {
  HOST: gateway.HOST,
  HOST_NAMES: hostNamesSetting,
  CORS_ORIGINS: corsOriginsSetting(originsOfThisMachine),
  PORT: portSetting({ description: 'Port of the API.', default: 22973 }),
  EXPLORER: choiceSetting(['on', 'off'], { description: 'off: without the explorer.', default: 'on' }),
  EXPLORER_PORT: portSetting({ description: 'Port of the explorer.', default: 19091 }),
  EXPLORER_URL: gateway.EXPLORER_URL,
  // Not of the explorer's settings: its modules are loaded by its process alone.
  NODE_API_URL: pageAddressSetting(
    'Where browsers find the API: the pages of the explorer link to it. Default: this one.',
  ),
  HEALTH_PORT: portSetting({
    description: `First port of health and metrics on 127.0.0.1: group-node g takes this one plus g, the wallet-service the one after the group-nodes; 0: free ones. Default: ${firstHealthPort}, or free ones if one of them is taken.`,
    optional: true,
  }),
} as const;

/** Variables that are passed to the services unchanged. */
export const passedSettings = {
  MINING: groupNode.MINING,
  MINING_INTERVAL: groupNode.MINING_INTERVAL,
  MINING_HEARTBEAT: groupNode.MINING_HEARTBEAT,
  MINER_ADDRESSES: groupNode.MINER_ADDRESSES,
  GENESIS_FILE: networkSettings.GENESIS_FILE,
  MEMPOOL_CAPACITY: groupNode.MEMPOOL_CAPACITY,
  PRUNING: groupNode.PRUNING,
  PRUNING_HORIZON: groupNode.PRUNING_HORIZON,
  RECENT_HEIGHTS: groupNode.RECENT_HEIGHTS,
  WALLET_LOCK_TIMEOUT: walletServiceSettings.shape.WALLET_LOCK_TIMEOUT,
  WS_PORT: gateway.WS_PORT,
  API_KEY: gateway.API_KEY,
  API_KEY_WALLETS: gateway.API_KEY_WALLETS,
  API_KEY_READ: gateway.API_KEY_READ,
  API_KEY_REQUIRED: gateway.API_KEY_REQUIRED,
  API_PROFILE: gateway.API_PROFILE,
  COIN_NAME: gateway.COIN_NAME,
  COIN_SYMBOL: networkSettings.COIN_SYMBOL,
  REPORTED_VERSION: gateway.REPORTED_VERSION,
  RATE_LIMIT: gateway.RATE_LIMIT,
  RATE_LIMIT_KEY: gateway.RATE_LIMIT_KEY,
  TRUST_PROXY: gateway.TRUST_PROXY,
  MAX_CONNECTIONS: gateway.MAX_CONNECTIONS,
  REQUEST_TIMEOUT: gateway.REQUEST_TIMEOUT,
  WALLET_ENABLED: gateway.WALLET_ENABLED,
  LOG_LEVEL: processSettings.LOG_LEVEL,
} as const;

/** Every variable of the network in one process (protocol 00, decision 27). */
export const localnetSettings = z.object({
  ...machineSettings,
  DATA_DIR: textSetting({
    description: 'Folder of the chain and the wallets; created if absent.',
    default: 'data/localnet',
  }),
  DEV_WALLET: flagSetting({
    description:
      'Whether the development network has the wallet `dev` (password `dev`) of its funded accounts, unlocked at each start; only with HOST on loopback.',
    default: true,
  }),
  ...passedSettings,
  RECENT_HEIGHTS: recentHeightsSetting(
    512,
    'The default is half of that of a group-node in a process of its own, because all of them are in this one.',
  ),
  LOG_LEVEL: choiceSetting(logLevels, {
    description:
      'Least severe level of the log, which goes to standard error; info logs the events that services of a cluster log.',
    default: 'warn',
  }),
  KEY_DERIVATIONS: keyDerivationsSetting(1),
});

type LocalnetSettings = z.output<typeof localnetSettings>;

/** In the data folder: names of the contracts that a development network compiled. */
export const namesFile = 'compiled-names.json';

/** The settings of the environment, with every file that they name read and checked. */
export interface LocalnetConfiguration {
  readonly settings: LocalnetSettings;
  readonly network: NetworkSettings;
  readonly minerAddresses: readonly AssetLockupScript[];
  /** Absolute path. */
  readonly dataDir: string;
  readonly healthPorts: HealthPorts;
}

/** @throws ConfigurationError */
export const readLocalnetConfiguration = (environment: Environment): LocalnetConfiguration => {
  const settings = readConfiguration(localnetSettings, environment);
  const network = readNetwork(settings);
  return {
    settings,
    network,
    minerAddresses: readMinerAddresses(settings.MINER_ADDRESSES, network.groups),
    dataDir: resolve(settings.DATA_DIR),
    healthPorts: healthPortsOf(settings, network.groups),
  };
};
