import { readConfiguration } from '@shardnode/core/configuration';
import { runMain } from '@shardnode/core/process';
import { embeddedExplorerSettings } from './settings.js';

/** The explorer of `npm start`, which starts and stops it. */
await runMain({
  name: () => 'explorer',
  variables: embeddedExplorerSettings,
  read: (environment) => readConfiguration(embeddedExplorerSettings, environment),
  open: async (settings, tools) => (await import('./open-process.js')).open(settings, tools),
  portSetting: 'EXPLORER_PORT',
  hostSetting: 'HOST',
});
