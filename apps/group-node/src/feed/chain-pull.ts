import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import {
  type ChainPullReply,
  type ChainPullRequest,
  feedError,
  type SentBlock,
  type FeedPlace,
} from '@shardnode/messages';
import { type DagNode } from '@shardnode/protocol/dag';
import { type ChainIndex } from '@shardnode/protocol/primitives';
import { type BlockReads } from '../view/blocks-within.js';
import { blockRefs, placeOf } from './block-refs.js';
import { type BlockForm, type FeedBlocks } from './feed-blocks.js';
import { highestCanonical } from './heads.js';

export interface PullParts {
  readonly node: BlockReads;
  readonly blocks: FeedBlocks;
  readonly epoch: string;
  /** Bytes of the longest reply. */
  readonly longestReply: () => number;
}

/** Defaults of protocol 09 §4.3. */
const defaults = { limit: 200, maxBytes: 700_000 };
/** Bytes of a reply besides its blocks. */
const bytesOfReply = 1_024;
/** Blocks that are encoded between two yields to the event loop. */
const blocksPerTick = 50;

const headOf = ({ state }: PullParts['node'], chain: ChainIndex): DagNode => {
  const { published } = state.memory;
  // Of chains of other groups the node stores no heads.
  return chain.from === state.group ? published.node(state.heads[chain.to]!.hash) : highestCanonical(published, chain);
};

/** Parts of a reply, read in one event-loop tick: one view of the canonical index. Throws BlocksMissing. */
const viewOf = (
  node: PullParts['node'],
  chain: ChainIndex,
  { locators, limit = defaults.limit }: ChainPullRequest,
): { readonly head: DagNode; readonly fork: FeedPlace | null; readonly nodes: readonly DagNode[] } => {
  const { published } = node.state.memory;
  const head = headOf(node, chain);
  const canonical = (height: number): DagNode | undefined =>
    height <= head.height ? published.nodesAt(chain, height)[0] : undefined;
  const found = locators.find(({ height, hash }) => canonical(height)?.hash === hash);
  if (!found && locators.some(({ height }) => height === 0)) {
    throw feedError('GenesisMismatch', `the genesis block of chain (${chain.from},${chain.to}) is another one`);
  }
  const fork = locators.length === 0 ? null : (found ?? placeOf(canonical(0)!));
  const first = fork === null ? 0 : fork.height + 1;
  const length = Math.max(0, Math.min(limit, head.height + 1 - first));
  return { head, fork, nodes: Array.from({ length }, (_, i) => canonical(first + i)!) };
};

/** The first blocks whose JSON fits, at least one; one without its bytes is alone. */
const fittingBlocks = async (reader: FeedBlocks, nodes: readonly DagNode[], form: BlockForm): Promise<SentBlock[]> => {
  const blocks: SentBlock[] = [];
  if (nodes.length === 0) return blocks;
  const wanted = await reader.fitting(nodes, form);
  let bytes = 0;
  for (let start = 0; start < wanted.length; start += blocksPerTick) {
    for (const { block, bytes: ofBlock } of await reader.read(wanted.slice(start, start + blocksPerTick), form)) {
      bytes += ofBlock;
      if (blocks.length > 0 && (block.chunked || bytes > form.maxBytes)) return blocks;
      blocks.push(block);
      if (block.chunked) return blocks;
    }
    await yieldToEventLoop();
  }
  return blocks;
};

/** Canonical blocks above the newest locator of a follower (protocol 09 §4.3). @throws ServiceError */
export const pullChain = async (parts: PullParts, request: ChainPullRequest): Promise<ChainPullReply> => {
  const { node, blocks: reader, epoch, longestReply } = parts;
  const { group } = node.state;
  const { chainFrom, chainTo, maxBytes = defaults.maxBytes, withEvents = true } = request;
  if (chainFrom !== group && chainTo !== group) {
    throw feedError('NotThisGroup', `group ${group} does not have the blocks of chain (${chainFrom},${chainTo})`);
  }
  const { head, fork, nodes } = await node.state.memory.loaded(() =>
    viewOf(node, { from: chainFrom, to: chainTo }, request),
  );
  const form = { withEvents, maxBytes: Math.min(maxBytes, longestReply()) - bytesOfReply };
  const blocks = await fittingBlocks(reader, nodes, form);
  const [ref] = await blockRefs(node, [head]);
  const more = (blocks.at(-1)?.height ?? head.height) < head.height;
  return { epoch, chainFrom, chainTo, fork, blocks, head: ref!, more };
};
