import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import {
  choiceSetting,
  ConfigurationError,
  listSetting,
  portSetting,
  readConfiguration,
  textSetting,
  wholeNumberSetting,
  type Environment,
} from '@shardnode/core/configuration';
import { gatewaySettings } from '@shardnode/gateway';
import { walletServiceSettings } from '@shardnode/wallet-service';
import { logLevels } from '@shardnode/core/observability';
import { parseAssetAddress } from '@shardnode/protocol/address';
import { developmentNetwork, parseGenesisFile, type NetworkSettings } from '@shardnode/protocol/network';
import { groupOfLockupScript, type AssetLockupScript } from '@shardnode/protocol/primitives';

/** Every variable of the network in one process (protocol 00, decision 27). */
export const localnetSettings = z.object({
  HOST: gatewaySettings.shape.HOST,
  PORT: portSetting({ description: 'Port of the API.', default: 22973 }),
  HEALTH_PORT: portSetting({
    description:
      'First port of health and metrics on 127.0.0.1: group-node g takes this one plus g, the wallet-service the one after the group-nodes; 0: free ones. Default: 12980, and free ones where that or a next one is taken.',
    optional: true,
  }),
  DATA_DIR: textSetting({
    description: 'Folder of the chain and the wallets; made when it is not there.',
    default: 'data/localnet',
  }),
  MINING: choiceSetting(['instant', 'interval', 'off'], {
    description:
      '`instant`: a submitted transaction is mined at once; `interval`: every chain in turn; `off`: only on request.',
    default: 'instant',
  }),
  MINING_INTERVAL: wholeNumberSetting({
    description: 'Seconds between the rounds of `interval`.',
    default: 1,
    min: 1,
    max: 3600,
  }),
  MINER_ADDRESSES: listSetting({
    description: 'Who is paid for blocks, one address in each group, in order.',
    expects: 'asset addresses separated by commas, the first in group 0, the second in group 1 and so on',
    default: [
      '1FsroWmeJPBhcPiUr37pWXdojRBe6jdey9uukEXk1TheA',
      '1CQvSXsmM5BMFKguKDPpNUfw1idiut8UifLtT8748JdHc',
      '193maApeJWrz9GFwWCfa982ccLARVE9Y1WgKSJaUs7UAx',
      '16fZKYPCZJv2TP3FArA9FLUQceTS9U8xVnSjxFG9MBKyY',
    ],
  }),
  GENESIS_FILE: textSetting({
    description: 'JSON file with the settings and allocations of another network.',
    optional: true,
  }),
  MEMPOOL_CAPACITY: wholeNumberSetting({
    description: 'Pending transactions that each group keeps; one more is refused.',
    default: 8_000,
    min: 1,
    max: 1_000_000,
  }),
  WALLET_LOCK_TIMEOUT: walletServiceSettings.shape.WALLET_LOCK_TIMEOUT,
  API_KEY: gatewaySettings.shape.API_KEY,
  API_KEY_REQUIRED: gatewaySettings.shape.API_KEY_REQUIRED,
  API_PROFILE: gatewaySettings.shape.API_PROFILE,
  COIN_NAME: gatewaySettings.shape.COIN_NAME,
  COIN_SYMBOL: gatewaySettings.shape.COIN_SYMBOL,
  REPORTED_VERSION: gatewaySettings.shape.REPORTED_VERSION,
  LOG_LEVEL: choiceSetting(logLevels, {
    description: 'Least severe line of the log, which goes to standard error.',
    default: 'warn',
  }),
  CRASH_AT: textSetting({
    description: 'For tests of recovery: the process kills itself at this named place.',
    optional: true,
  }),
});

export type LocalnetSettings = z.output<typeof localnetSettings>;

/** The environment's settings with everything that they name read and checked. */
export interface LocalnetConfiguration {
  readonly settings: LocalnetSettings;
  readonly network: NetworkSettings;
  readonly minerAddresses: readonly AssetLockupScript[];
  /** Absolute path. */
  readonly dataDir: string;
  readonly healthPorts: HealthPorts;
}

/** Where health and metrics of the inner services are (protocol 00, decision 21). */
export interface HealthPorts {
  /** By group, then that of the wallet-service; 0 takes a free one. */
  readonly ports: readonly number[];
  /** Nobody has asked for these: free ones will do where they are taken. */
  readonly orAnyPort: boolean;
}

const defaultHealthPort = 12_980;

const healthPortsOf = ({ HEALTH_PORT: first, PORT: api }: LocalnetSettings, groups: number): HealthPorts => {
  const from = first ?? defaultHealthPort;
  if (from + groups > 65_535) {
    throw new ConfigurationError([`HEALTH_PORT must be at most ${65_535 - groups}, because ${groups} more follow.`]);
  }
  const ports = Array.from({ length: groups + 1 }, (_, i) => (from === 0 ? 0 : from + i));
  if (first !== undefined && api !== 0 && ports.includes(api)) {
    throw new ConfigurationError([
      `HEALTH_PORT must leave PORT ${api} to the API; ${ports.length} ports are taken from it on.`,
    ]);
  }
  return { ports: ports.map((port) => (port === api ? 0 : port)), orAnyPort: first === undefined };
};

const networkOf = (file: string | undefined, symbol: string): NetworkSettings => {
  if (file === undefined) return developmentNetwork;
  try {
    return parseGenesisFile(JSON.parse(readFileSync(file, 'utf8')) as unknown, symbol);
  } catch (error) {
    throw new ConfigurationError([
      `GENESIS_FILE must be a readable JSON file with the settings of a network: ${(error as Error).message}.`,
    ]);
  }
};

const minersOf = (addresses: readonly string[], groups: number): AssetLockupScript[] => {
  if (addresses.length !== groups)
    throw new ConfigurationError([
      `MINER_ADDRESSES must be ${groups} addresses, one for each group, not ${addresses.length}.`,
    ]);
  return addresses.map((address, group) => {
    const lockup = parseAssetAddress(address);
    if (!lockup)
      throw new ConfigurationError([
        `MINER_ADDRESSES must be asset addresses, which ${JSON.stringify(address)} is not.`,
      ]);
    if (groupOfLockupScript(lockup, groups) !== group)
      throw new ConfigurationError([
        `MINER_ADDRESSES must be one address for each group in order; ${address} does not belong to group ${group}.`,
      ]);
    return lockup;
  });
};

/** @throws ConfigurationError */
export const readLocalnetConfiguration = (environment: Environment): LocalnetConfiguration => {
  const settings = readConfiguration(localnetSettings, environment);
  const network = networkOf(settings.GENESIS_FILE, settings.COIN_SYMBOL);
  return {
    settings,
    network,
    minerAddresses: minersOf(settings.MINER_ADDRESSES, network.groups),
    dataDir: resolve(settings.DATA_DIR),
    healthPorts: healthPortsOf(settings, network.groups),
  };
};
