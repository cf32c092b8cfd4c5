import { type Block } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type ChainIndex } from '@shardnode/protocol/primitives';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { coin, type TestNetwork } from './network.js';

/** Transfers inside and between groups, and blocks on every chain. */
export const makeHistory = async (network: TestNetwork, rounds: number): Promise<void> => {
  const [rich] = await developmentKeys();
  const groups = network.groups.length;
  for (let i = 0; i < rounds; i++) {
    await network.transfer(rich!, [{ key: testKeyOfGroup(i % groups), amount: coin }]);
    await network.mine((i * 3) % groups, i % groups);
  }
};

/** Blocks of one chain on top of genesis. @param ahead milliseconds that make them others than those of another branch */
export const branchOf = (chain: ChainIndex, length: number, ahead: bigint): Block[] => {
  const node = new MemoryNode(developmentNetwork);
  return Array.from({ length }, () => {
    const block = nextBlock(node, chain);
    const later = nextBlock(node, chain, { timestamp: block.header.timestamp + ahead });
    node.importBlock(later.raw);
    return later;
  });
};
