import { runMain } from '@shardnode/core/process';
import { gatewaySettings, readGatewaySettings } from './settings/configuration.js';
import { type InjectedPorts } from './open-process.js';

/** The service as a process. @param injected by tests that move its clock */
export const serve = (injected: InjectedPorts = {}): Promise<never> =>
  runMain({
    name: () => 'gateway',
    variables: gatewaySettings,
    read: readGatewaySettings,
    // The service's modules take longest to load: what is wrong with the settings is told before.
    open: async (settings, tools) => (await import('./open-process.js')).open(settings, tools, injected),
    portSetting: 'PORT',
  });
