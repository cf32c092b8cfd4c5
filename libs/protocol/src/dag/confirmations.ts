import { type Hash } from '../primitives/index.js';
import { isAncestorNode } from './ancestry.js';
import { type DagNode, isGenesisNode, outDep } from './node.js';
import { type ChainReader } from './readers.js';
import { extendsNode, groupTipNode, outTipNode } from './tips.js';

/**
 * Depth of a block in its chain and in the intra-group chains of source and destination group (protocol 03 §7.9, 02
 * §15.3).
 */
export interface Confirmations {
  readonly chainConfirmations: number;
  readonly fromGroupConfirmations: number;
  readonly toGroupConfirmations: number;
}

/**
 * Depth of the first canonical block of (group,group) above `start` that includes the requested block; 0 if none does.
 */
const depthOfFirst = (
  reader: ChainReader,
  group: number,
  start: number,
  includes: (node: DagNode) => boolean,
): number => {
  const chain = { from: group, to: group };
  for (let height = start + 1; ; height++) {
    const [node] = reader.nodesAt(chain, height);
    if (!node) return 0;
    if (includes(node)) return Math.max(0, reader.currentHeight(chain) - height + 1);
  }
};

/**
 * Confirmations of the transactions of a canonical block (protocol 03 §7.9). The caller checks that it is canonical.
 */
export const confirmations = (reader: ChainReader, blockHash: Hash): Confirmations => {
  const block = reader.node(blockHash);
  const { from, to } = block;
  const chainConfirmations = reader.currentHeight(block.chainIndex) - block.height + 1;
  if (from === to) {
    const same = chainConfirmations;
    return { chainConfirmations, fromGroupConfirmations: same, toGroupConfirmations: same };
  }
  return {
    chainConfirmations,
    fromGroupConfirmations: depthOfFirst(reader, from, outTipNode(block, from).height, (node) =>
      isAncestorNode(block, outDep(node, to)),
    ),
    toGroupConfirmations: isGenesisNode(block)
      ? reader.currentHeight({ from: to, to }) + 1
      : depthOfFirst(reader, to, groupTipNode(block, to).height, (node) =>
          extendsNode(groupTipNode(node, from), block),
        ),
  };
};
