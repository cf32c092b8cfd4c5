import { readFileSync } from 'node:fs';
import { ConfigurationError, textSetting } from '@shardnode/core/configuration';
import { developmentNetwork, parseGenesisFile, type NetworkSettings } from '@shardnode/protocol/network';

/** The variables of a service's network: the same for all services of a cluster. */
export const networkSettings = {
  GENESIS_FILE: textSetting({
    description: 'JSON file with the settings and allocations of another network.',
    optional: true,
  }),
  COIN_SYMBOL: textSetting({
    description:
      'Symbol of the coin in amounts, also in GENESIS_FILE. Default: COIN; in responses of API_PROFILE=reference the symbol in existing client libraries.',
    pattern: /^[A-Za-z][A-Za-z0-9]*$/,
    expects: 'a word of letters and digits',
    optional: true,
  }),
} as const;

/** The network of a genesis file, or the development network without one. @throws ConfigurationError */
export const readNetwork = (settings: {
  readonly GENESIS_FILE: string | undefined;
  /** Amounts of the file may have this suffix: `2.5 COIN`; default `COIN`. */
  readonly COIN_SYMBOL: string | undefined;
}): NetworkSettings => {
  const { GENESIS_FILE: file, COIN_SYMBOL: symbol } = settings;
  if (file === undefined) return developmentNetwork;
  try {
    return parseGenesisFile(JSON.parse(readFileSync(file, 'utf8')) as unknown, symbol);
  } catch (error) {
    throw new ConfigurationError([
      `GENESIS_FILE must be a readable JSON file with the settings of a network: ${(error as Error).message}.`,
    ]);
  }
};
export * from './network-identity.js';
