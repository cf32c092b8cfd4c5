import { openChannelNetwork, processChannel } from '@shardnode/core/bus';
import { systemClock } from '@shardnode/core/lifecycle';
import { type MainTools } from '@shardnode/core/process';
import { type RunningService } from '@shardnode/core/service';
import { create, defaultExplorerChoices } from '@shardnode/explorer';
import { brandOf } from '@shardnode/http/brand-settings';
import { networkIdentity, readNetwork } from '@shardnode/messages/network';
import { developmentAccountsOf } from '../development-tools.js';
import { ns } from '../namespace.js';
import { openIndexDatabase } from './open-index-database.js';
import { type EmbeddedExplorerSettings } from './settings.js';

/** Opens the bus of the network, over the channel to its process, and the index, and makes the explorer. */
export const open = async (settings: EmbeddedExplorerSettings, tools: MainTools): Promise<RunningService> => {
  const network = readNetwork(settings);
  const { logger } = tools;
  const bus = openChannelNetwork(processChannel(process));
  const databases = await openIndexDatabase(settings.INDEX_DIR, networkIdentity(network), logger);
  tools.onClose(() => databases.close());
  return create(
    {
      ...defaultExplorerChoices,
      brand: brandOf(settings),
      nodeApiUrl: settings.NODE_API_URL,
      ns,
      network,
      http: { host: settings.HOST, port: settings.EXPLORER_PORT, hostNames: settings.HOST_NAMES },
      processMetrics: true,
      diskFolder: settings.INDEX_DIR,
    },
    {
      network: bus,
      database: databases.service('explorer'),
      clock: systemClock,
      logger,
      onFatal: tools.onFatal,
      developmentAccounts: settings.HAS_DEVELOPMENT_TOOLS ? developmentAccountsOf(network) : undefined,
    },
  );
};
