import { availableParallelism } from 'node:os';
import { clockOf, runMain, type MainTools } from '@shardnode/core/process';
import { openServiceBus, openServiceDatabase } from '@shardnode/core/service';
import { readGroupNodeSettings, type GroupNodeSettings } from './configuration.js';
import { create, type GroupNodeConfig } from './service.js';
import { InvalidGenesis } from './start/genesis.js';

/** Threads for the signatures of large blocks; they are made when the first one comes. */
const signatureWorkers = Math.max(0, Math.min(2, availableParallelism() - 1));

const configOf = (settings: GroupNodeSettings): GroupNodeConfig => ({
  ns: settings.NATS_NAMESPACE,
  group: settings.GROUP,
  settings: settings.network,
  host: settings.HEALTH_HOST,
  port: settings.HEALTH_PORT,
  signatureWorkers,
  poolCapacity: settings.MEMPOOL_CAPACITY,
  mining: settings.MINING,
  miningInterval: settings.MINING_INTERVAL,
  minerAddresses: settings.minerAddresses,
  processMetrics: true,
  ...(settings.CRASH_AT === undefined ? {} : { crashAt: settings.CRASH_AT }),
});

const open = async (settings: GroupNodeSettings, tools: MainTools) => {
  const service = `group-node-${settings.GROUP}`;
  const database = await openServiceDatabase(settings, tools, { service, schema: `group_${settings.GROUP}` });
  const network = await openServiceBus(settings, tools, service);
  const ports = { network, database, clock: clockOf(settings), logger: tools.logger, onFatal: tools.onFatal };
  return create(configOf(settings), ports);
};

await runMain({
  read: readGroupNodeSettings,
  open,
  host: ({ HEALTH_HOST }) => HEALTH_HOST,
  portSetting: 'HEALTH_PORT',
  describe: (error) =>
    error instanceof InvalidGenesis
      ? 'The database belongs to another network: its first blocks differ. Give this network databases of its own, or set GENESIS_FILE as it was.'
      : undefined,
});
