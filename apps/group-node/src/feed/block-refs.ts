import { type BlockRef, type FeedPlace } from '@shardnode/messages';
import { decodeBlock } from '@shardnode/protocol/block';
import { type DagNode } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { bodiesOf, type BlockReads } from '../view/blocks-within.js';

export const placeOf = ({ height, hash }: DagNode): FeedPlace => ({ height, hash });

/** References to blocks whose bodies are stored, in the order of the hashes. From memory where they are there. */
export const blockRefs = async (node: BlockReads, hashes: readonly Hash[]): Promise<BlockRef[]> => {
  const { memory, settings } = node.state;
  // Memory may drop a block while the others are read.
  const cached = new Map(hashes.map((hash) => [hash, memory.blocks.get(hash)]));
  const bodyOf = await bodiesOf(
    node,
    hashes.filter((hash) => !cached.get(hash)),
  );
  return hashes.map((hash) => {
    const block = cached.get(hash) ?? decodeBlock(bodyOf(hash), settings.groups, { genesis: 'accepted' });
    const { height, timestamp } = memory.published.node(hash);
    return { height, hash, timestamp: Number(timestamp), txCount: block.transactions.length, size: block.raw.length };
  });
};
