import { runMain } from '@shardnode/core/process';
import { groupNodeSettings, readGroupNodeSettings } from './configuration.js';
import { type InjectedPorts } from './open-process.js';

/** The service as a process. @param injected replacements by tests that move its clock or kill it */
export const serve = (injected: InjectedPorts = {}): Promise<never> =>
  runMain({
    name: ({ GROUP }) => `group-node-${GROUP}`,
    variables: groupNodeSettings,
    read: readGroupNodeSettings,
    // The modules of the service load slowest: errors in the settings are reported first.
    open: async (settings, tools) => (await import('./open-process.js')).open(settings, tools, injected),
    portSetting: 'HEALTH_PORT',
    hostSetting: 'HEALTH_HOST',
    describe: (error) =>
      error instanceof Error && error.name === 'InvalidGenesis'
        ? 'The database belongs to another network: its first blocks differ. Give this network databases of its own, or set GENESIS_FILE as it was.'
        : undefined,
  });
