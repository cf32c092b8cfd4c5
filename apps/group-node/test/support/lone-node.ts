import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { type PeerPublisher } from '@shardnode/messages';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { type GroupNode, openGroupNode } from '../../src/group-node.js';
import { type ImportMeasures } from '../../src/import/import-measures.js';
import { type GroupStore } from '../../src/store/index.js';
import { minerAddresses } from './network.js';

/** The group-node of group 0 without siblings, mining on demand. */
export const openLoneNode = async (
  store: GroupStore,
  settings: NetworkSettings = developmentNetwork,
  peers: PeerPublisher = { publish: () => undefined },
  clock: Clock = systemClock,
  measures?: ImportMeasures,
): Promise<GroupNode> => {
  const node = await openGroupNode(
    {
      settings,
      group: 0,
      limits: { trieNodeBytes: 2 ** 20, blockBytes: 2 ** 20 },
      mining: { mode: 'instant', interval: 0, heartbeat: 0, followUp: 10 },
      minerAddresses,
      lazyCommit: 20,
      blocksPerCommit: 8,
    },
    {
      store,
      clock,
      logger: silentLogger,
      peers,
      groups: { request: () => Promise.reject(new Error('no siblings')) },
      randomBytes,
      measures,
    },
  );
  node.sync.assumeSynced();
  node.schedule.start();
  return node;
};
