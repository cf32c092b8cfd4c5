import { runMain } from '@shardnode/core/process';
import { explorerSettings, readExplorerSettings } from './configuration.js';
import { type InjectedPorts } from './open-process.js';

/**
 * The service as a process; with the argument `--resync` it drops its index and builds it again.
 * @param injected replacements by tests that move its clock
 */
export const serve = (injected: InjectedPorts = {}): Promise<never> =>
  runMain({
    name: () => 'explorer',
    variables: explorerSettings,
    read: readExplorerSettings,
    // The modules of the service load slowest: errors in the settings are reported first.
    open: async (settings, tools) =>
      (await import('./open-process.js')).open(settings, tools, {
        ...injected,
        resync: process.argv.includes('--resync'),
      }),
    portSetting: 'EXPLORER_PORT',
    hostSetting: 'EXPLORER_HOST',
  });
