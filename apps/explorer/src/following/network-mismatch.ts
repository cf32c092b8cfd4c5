import { StartFailure } from '@shardnode/core/process';
import { type FeedInfo } from '@shardnode/messages';
import { genesisBlocks } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';

/** The group-nodes, the database and the settings are not of one network: the explorer must not go on. */
export class NetworkMismatch extends StartFailure {
  constructor(problem: string) {
    super(`NetworkMismatch: ${problem}.`);
    this.name = 'NetworkMismatch';
  }
}

const check = (what: string, found: unknown, expected: unknown): void => {
  if (found !== expected) throw new NetworkMismatch(`${what} is ${String(found)}, expected ${String(expected)}`);
};

/** Compares group-nodes with the settings (protocol 08 §2.3). @throws NetworkMismatch */
export const networkCheck = (network: NetworkSettings): ((info: FeedInfo) => void) => {
  const { groups, networkId } = network;
  const hashes = genesisBlocks(network).map(({ header }) => header.hash);
  return ({ group, ...info }) => {
    check(`the network id of group-node ${group}`, info.networkId, networkId);
    check(`the number of groups of group-node ${group}`, info.groups, groups);
    for (let to = 0; to < groups; to++) {
      check(
        `the genesis block of chain (${group},${to}) of group-node ${group}`,
        info.genesis[to],
        hashes[group * groups + to],
      );
    }
  };
};
