import { z } from 'zod';
import { portSetting, readConfiguration, wholeNumberSetting, type Environment } from '@shardnode/core/configuration';
import {
  busSettings,
  databaseSettings,
  diskFolderSetting,
  healthHostSetting,
  hostNamesSetting,
  processSettings,
  tracingSettings,
} from '@shardnode/core/process';
import { networkSettings, readNetwork } from '@shardnode/messages/network';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** The default leaves memory to other services in the same process. */
export const keyDerivationsSetting = (byDefault: number) =>
  wholeNumberSetting({
    description:
      'Passwords of wallets stretched into keys at once, 128 MiB and 0.3 s each. 32 more wait; above that requests get 429.',
    default: byDefault,
    min: 1,
    max: 64,
  });

/** Every variable of the wallet-service. */
export const walletServiceSettings = z.object({
  HEALTH_HOST: healthHostSetting,
  HOST_NAMES: hostNamesSetting,
  HEALTH_PORT: portSetting({ description: 'Port of health and metrics.', default: 12984 }),
  ...databaseSettings,
  DISK_FOLDER: diskFolderSetting,
  ...busSettings,
  WALLET_LOCK_TIMEOUT: wholeNumberSetting({
    description: 'Seconds after the last request of a wallet until it locks.',
    default: 600,
    min: 1,
    max: 86_400,
  }),
  KEY_DERIVATIONS: keyDerivationsSetting(2),
  ...networkSettings,
  ...processSettings,
  ...tracingSettings,
});

/** Choices of a wallet-service's settings, wherever it runs: alone, in the network in one process, simulated. */
export const walletChoicesOf = (
  settings: Pick<z.output<typeof walletServiceSettings>, 'WALLET_LOCK_TIMEOUT' | 'KEY_DERIVATIONS'>,
) => ({
  /** Milliseconds after the last request on a wallet until it locks itself. */
  lockTimeoutMs: settings.WALLET_LOCK_TIMEOUT * 1_000,
  /** How many passwords are turned into keys at once, 128 MiB each; further ones wait. */
  keyDerivations: settings.KEY_DERIVATIONS,
});

export type WalletChoices = Readonly<ReturnType<typeof walletChoicesOf>>;

/** Those of a wallet-service without any setting. */
export const defaultWalletChoices: WalletChoices = walletChoicesOf(
  readConfiguration(walletServiceSettings.omit({ DATABASE_URL: true }), {}),
);

export type WalletServiceSettings = z.output<typeof walletServiceSettings> & { readonly network: NetworkSettings };

/** The settings of a wallet-service process. @throws ConfigurationError */
export const readWalletServiceSettings = (environment: Environment): WalletServiceSettings => {
  const settings = readConfiguration(walletServiceSettings, environment);
  return { ...settings, network: readNetwork(settings) };
};
