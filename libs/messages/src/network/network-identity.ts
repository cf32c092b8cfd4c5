import { genesisBlocks } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** Identity of a data folder's network: its id, and its genesis blocks, which contain all allocations. */
export const networkIdentity = (settings: NetworkSettings): string => {
  const intraGroup = genesisBlocks(settings).filter(({ header }) => header.chainIndex.from === header.chainIndex.to);
  return `network ${settings.networkId}, genesis ${intraGroup.map(({ header }) => header.hash.slice(0, 8)).join(' ')}`;
};
