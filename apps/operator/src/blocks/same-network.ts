import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient } from '@shardnode/messages';
import { genesisBlocks } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { CommandFailure } from '../command.js';

const reportOf = async (client: GroupClient, group: number) => {
  try {
    return await client.request(group, 'read.node.report', {});
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new CommandFailure(`${error.message}. All group-nodes have to run; \`doctor\` finds out more.`, {
      cause: error,
    });
  }
};

/**
 * The hashes of the genesis blocks, by flat index, after all group-nodes have reported that they belong to the network
 * of our settings. @throws CommandFailure
 */
export const requireSameNetwork = async (client: GroupClient, settings: NetworkSettings): Promise<readonly Hash[]> => {
  const genesis = genesisBlocks(settings).map(({ header }) => header.hash);
  for (let group = 0; group < settings.groups; group++) {
    const report = await reportOf(client, group);
    if (report.networkId !== settings.networkId || report.genesis.join() !== genesis.join()) {
      throw new CommandFailure(
        `Group-node ${group} is of another network (id ${report.networkId}) than GENESIS_FILE of this command says (id ${settings.networkId}): set it as the services have it.`,
      );
    }
  }
  return genesis;
};
