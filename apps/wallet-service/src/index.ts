export { create, type WalletServiceConfiguration, type WalletServicePorts } from './service.js';
export { walletServiceSettings } from './configuration.js';
