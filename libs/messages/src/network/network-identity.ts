import { genesisBlocks } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** Names the network that a data folder belongs to: its id, and its first blocks, which hold all of its allocations. */
export const networkIdentity = (settings: NetworkSettings): string => {
  const intraGroup = genesisBlocks(settings).filter(({ header }) => header.chainIndex.from === header.chainIndex.to);
  return `network ${settings.networkId}, genesis ${intraGroup.map(({ header }) => header.hash.slice(0, 8)).join(' ')}`;
};
