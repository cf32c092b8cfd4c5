import { type BlockRef, type FeedPlace } from '@shardnode/messages';
import { decodeBlock } from '@shardnode/protocol/block';
import { type DagNode } from '@shardnode/protocol/dag';
import { bodiesOf, type BlockReads } from '../view/blocks-within.js';

export const placeOf = ({ height, hash }: DagNode): FeedPlace => ({ height, hash });

/** References to blocks whose bodies are stored, in their order. From memory where they are there. */
export const blockRefs = async (node: BlockReads, nodes: readonly DagNode[]): Promise<BlockRef[]> => {
  const { memory, settings } = node.state;
  // Memory may drop a block while the others are read.
  const cached = new Map(nodes.map(({ hash }) => [hash, memory.blocks.get(hash)]));
  const bodyOf = await bodiesOf(
    node,
    nodes.map(({ hash }) => hash).filter((hash) => !cached.get(hash)),
  );
  return nodes.map(({ hash, height, timestamp }) => {
    const block = cached.get(hash) ?? decodeBlock(bodyOf(hash), settings.groups, { genesis: 'accepted' });
    return { height, hash, timestamp: Number(timestamp), txCount: block.transactions.length, size: block.raw.length };
  });
};
