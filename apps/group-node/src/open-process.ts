import { availableParallelism } from 'node:os';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { type MainTools } from '@shardnode/core/process';
import { openServiceBus, openServiceDatabase, openServiceTracing } from '@shardnode/core/service';
import { type GroupNodeSettings, nodeChoicesOf } from './configuration.js';
import { type CrashPoint } from './import/importer-parts.js';
import { create, type GroupNodeConfig } from './service.js';

/** Threads for the signatures of large blocks; started by the first one. */
const signatureWorkers = Math.max(0, Math.min(2, availableParallelism() - 1));

const configOf = (settings: GroupNodeSettings): GroupNodeConfig => ({
  ns: settings.NATS_NAMESPACE,
  coinSymbol: settings.COIN_SYMBOL,
  group: settings.GROUP,
  settings: settings.network,
  host: settings.HEALTH_HOST,
  port: settings.HEALTH_PORT,
  hostNames: settings.HOST_NAMES,
  signatureWorkers,
  ...nodeChoicesOf(settings),
  minerAddresses: settings.minerAddresses,
  processMetrics: true,
  diskFolder: settings.DISK_FOLDER,
});

/** Ports that tests inject in place of the system's. */
export interface InjectedPorts {
  readonly clock?: Clock;
  readonly crashPoint?: CrashPoint;
}

/** Opens the ports of the process and makes the service. */
export const open = async (
  settings: GroupNodeSettings,
  tools: MainTools,
  { clock = systemClock, crashPoint }: InjectedPorts = {},
) => {
  const service = `group-node-${settings.GROUP}`;
  await openServiceTracing(settings, tools, service);
  const database = await openServiceDatabase(settings, tools, { service, schema: `group_${settings.GROUP}` });
  const network = await openServiceBus(settings, tools, service);
  const ports = { network, database, clock, crashPoint, logger: tools.logger, onFatal: tools.onFatal };
  return create(configOf(settings), ports);
};
