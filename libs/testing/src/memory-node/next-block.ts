import { type Block } from '@shardnode/protocol/block';
import { expectedTarget } from '@shardnode/protocol/dag';
import { type AssetLockupScript, type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { stateHash } from '@shardnode/protocol/state';
import { type Transaction } from '@shardnode/protocol/transaction';
import { buildMinedBlock } from '../builders/index.js';
import { testKeyOfGroup } from '../keys/index.js';
import { type MemoryNode } from './memory-node.js';

export interface NextBlockOptions {
  /** Without the coinbase. */
  readonly transactions?: readonly Transaction[];
  /** 2G-1 hashes; default: the best dependencies. */
  readonly deps?: readonly Hash[];
  /** Milliseconds; default: one more than the newest dependency. */
  readonly timestamp?: bigint;
  /** Default: the first test key of the destination group. */
  readonly miner?: AssetLockupScript;
}

/** A block of a chain on top of the node's blocks; valid if its transactions and dependencies are. Not imported. */
export const nextBlock = (node: MemoryNode, chain: ChainIndex, options: NextBlockOptions = {}): Block => {
  const { settings, dag } = node;
  const deps = options.deps ?? node.bestDependencies(chain.from);
  const newest = deps.map((dep) => dag.header(dep).timestamp).reduce((a, b) => (a > b ? a : b));
  const state = node.worldState(deps[settings.groups - 1 + chain.from]!);
  if (!state) throw new Error('the intra-group dependency has no world state');
  return buildMinedBlock({
    settings,
    chain,
    blockDeps: deps,
    depStateHash: stateHash(state),
    // Genesis is older than the launch; no other block may be.
    timestamp: options.timestamp ?? (newest >= firstTimestamp ? newest + 1n : firstTimestamp),
    target: expectedTarget(dag, settings, chain, deps),
    transactions: options.transactions ?? [],
    miner: options.miner ?? testKeyOfGroup(chain.to, settings.groups).lockupScript,
  });
};

/** A time after the launch of all networks, milliseconds. */
const firstTimestamp = 1_700_000_000_000n;
