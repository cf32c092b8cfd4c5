import { runMain } from '@shardnode/core/process';
import { gatewaySettings, readGatewaySettings } from './settings/configuration.js';
import { type InjectedPorts } from './open-process.js';

/** The service as a process. @param injected replacements by tests that move its clock */
export const serve = (injected: InjectedPorts = {}): Promise<never> =>
  runMain({
    name: () => 'gateway',
    variables: gatewaySettings,
    read: readGatewaySettings,
    // The modules of the service load slowest: errors in the settings are reported first.
    open: async (settings, tools) => (await import('./open-process.js')).open(settings, tools, injected),
    portSetting: 'PORT',
    hostSetting: 'HOST',
  });
