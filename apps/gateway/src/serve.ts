import { runMain } from '@shardnode/core/process';
import { gatewaySettings, readGatewaySettings } from './configuration.js';

await runMain({
  schema: gatewaySettings,
  read: readGatewaySettings,
  // The service's modules take longest to load: what is wrong with the settings is told before.
  open: async (settings, tools) => (await import('./open-process.js')).open(settings, tools),
  host: ({ HOST }) => HOST,
  portSetting: 'PORT',
});
