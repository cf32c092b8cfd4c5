import { runMain } from '@shardnode/core/process';
import { groupNodeSettings, readGroupNodeSettings } from './configuration.js';

await runMain({
  schema: groupNodeSettings,
  read: readGroupNodeSettings,
  // The service's modules take longest to load: what is wrong with the settings is told before.
  open: async (settings, tools) => (await import('./open-process.js')).open(settings, tools),
  host: ({ HEALTH_HOST }) => HEALTH_HOST,
  portSetting: 'HEALTH_PORT',
  describe: (error) =>
    error instanceof Error && error.name === 'InvalidGenesis'
      ? 'The database belongs to another network: its first blocks differ. Give this network databases of its own, or set GENESIS_FILE as it was.'
      : undefined,
});
