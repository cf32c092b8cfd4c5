import { runMain } from '@shardnode/core/process';
import { readWalletServiceSettings, walletServiceSettings } from './configuration.js';

await runMain({
  schema: walletServiceSettings,
  read: readWalletServiceSettings,
  // The service's modules take longest to load: what is wrong with the settings is told before.
  open: async (settings, tools) => (await import('./open-process.js')).open(settings, tools),
  host: ({ HEALTH_HOST }) => HEALTH_HOST,
  portSetting: 'HEALTH_PORT',
});
