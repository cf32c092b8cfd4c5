import { type SealedHeader } from '@shardnode/protocol/block';
import { type ChainReader, compareByHeight, type DagNode } from '@shardnode/protocol/dag';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type ChainRole } from '../dag/roles.js';
import { type GroupMemory } from '../memory/group-memory.js';
import { type BlockCommit, type ChangedChain, type FeedReads } from '../store/index.js';

/** The part of a chain index that knows canonical blocks. */
type Chains = Pick<ChainReader, 'tipNodes' | 'isCanonical'>;

/**
 * The newest canonical block below the highest tip. It is the head of a chain, unless a pause of more than the tip
 * prune duration dropped the tip of its canonical branch (protocol 03 §7.3 step 4). Throws BlocksMissing.
 */
export const highestCanonical = (chains: Chains, chain: ChainIndex): DagNode => {
  let node: DagNode | undefined;
  for (const tip of chains.tipNodes(chain)) if (!node || compareByHeight(tip, node) > 0) node = tip;
  while (!chains.isCanonical(node!.hash)) node = node!.parent;
  return node!;
};

/** Heads of the own chains, by `to`. A chain without a stored change has number 1. */
export const loadHeads = async (memory: GroupMemory, store: FeedReads): Promise<ChangedChain[]> => {
  const stored = new Map((await store.changedChains()).map((change) => [change.to, change]));
  return memory.loaded(() =>
    Array.from({ length: memory.settings.groups }, (_, to) => {
      const { hash } = highestCanonical(memory.dag, { from: memory.group, to });
      return stored.get(to) ?? { to, seq: 1, hash };
    }),
  );
};

/** The own chains that get another head by these blocks, and the last head of each. */
export const newHeads = (
  stored: readonly {
    readonly item: { readonly role: ChainRole; readonly header: SealedHeader };
    readonly commit: Pick<BlockCommit, 'orders'>;
  }[],
): ReadonlyMap<number, Hash> => {
  const heads = new Map<number, Hash>();
  for (const { item, commit } of stored) {
    const { hash, chainIndex } = item.header;
    // The first list is that of the block's own height: a block that is first there is the head.
    if (item.role === 'own' && commit.orders[0]?.hashes[0] === hash) heads.set(chainIndex.to, hash);
  }
  return heads;
};
