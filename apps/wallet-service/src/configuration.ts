import { z } from 'zod';
import { portSetting, readConfiguration, wholeNumberSetting, type Environment } from '@shardnode/core/configuration';
import { busSettings, databaseSettings, healthHostSetting, processSettings } from '@shardnode/core/process';
import { networkSettings, readNetwork } from '@shardnode/messages/network';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** Every variable of the wallet-service. */
export const walletServiceSettings = z.object({
  HEALTH_HOST: healthHostSetting,
  HEALTH_PORT: portSetting({ description: 'Port of health and metrics.', default: 12984 }),
  ...databaseSettings,
  ...busSettings,
  WALLET_LOCK_TIMEOUT: wholeNumberSetting({
    description: 'Seconds after the last request on a wallet until it locks itself.',
    default: 600,
    min: 1,
    max: 86_400,
  }),
  ...networkSettings,
  ...processSettings,
});

export type WalletServiceSettings = z.output<typeof walletServiceSettings> & { readonly network: NetworkSettings };

/** The settings of the wallet-service as a process. @throws ConfigurationError */
export const readWalletServiceSettings = (environment: Environment): WalletServiceSettings => {
  const settings = readConfiguration(walletServiceSettings, environment);
  return { ...settings, network: readNetwork(settings) };
};
