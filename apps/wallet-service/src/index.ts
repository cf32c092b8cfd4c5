import { type create as createWalletService } from './service.js';

export { type WalletServiceConfiguration, type WalletServicePorts } from './service.js';
export type * from './storage/wallet-store.js';
export { noTries, type PasswordTries } from './keys/password-guard.js';
export { type WalletShape } from './keys/unlocked-wallet.js';
export {
  defaultWalletChoices,
  keyDerivationsSetting,
  walletChoicesOf,
  walletServiceSettings,
} from './configuration.js';

export { walletMigrations } from './storage/migrations.js';

/** See `service.ts`. Its modules are loaded here, so that importing the settings alone is fast. */
export const create = async (
  ...given: Parameters<typeof createWalletService>
): ReturnType<typeof createWalletService> => {
  const service = await import('./service.js');
  return service.create(...given);
};
