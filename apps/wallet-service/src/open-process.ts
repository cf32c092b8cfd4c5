import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { type MainTools } from '@shardnode/core/process';
import { openServiceBus, openServiceDatabase, openServiceTracing } from '@shardnode/core/service';
import { walletChoicesOf, type WalletServiceSettings } from './configuration.js';
import { create } from './service.js';

const service = 'wallet-service';

/** Ports that tests inject in place of the system's. */
export interface InjectedPorts {
  readonly clock?: Clock;
}

/** Opens the ports of the process and makes the service. */
export const open = async (
  settings: WalletServiceSettings,
  tools: MainTools,
  { clock = systemClock }: InjectedPorts = {},
) => {
  await openServiceTracing(settings, tools, service);
  const database = await openServiceDatabase(settings, tools, { service, schema: 'wallet' });
  const network = await openServiceBus(settings, tools, service);
  return create(
    {
      ns: settings.NATS_NAMESPACE,
      networkId: settings.network.networkId,
      groups: settings.network.groups,
      health: { host: settings.HEALTH_HOST, port: settings.HEALTH_PORT, hostNames: settings.HOST_NAMES },
      ...walletChoicesOf(settings),
      processMetrics: true,
      diskFolder: settings.DISK_FOLDER,
    },
    { network, database, clock, logger: tools.logger, onFatal: tools.onFatal },
  );
};
