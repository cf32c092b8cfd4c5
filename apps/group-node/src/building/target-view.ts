import { type AssetLockupScript, type Hash } from '@shardnode/protocol/primitives';
import { serviceError } from '@shardnode/messages';
import { addressOutputs } from '@shardnode/protocol/state';
import { type BuilderReads } from './builder-reads.js';
import { type LeveledOutput } from '../view/address-outputs.js';
import { type OwnView, ownView } from '../view/own-view.js';

/** The view on which the client builds: at the dependencies of a block of the group (protocol 02 §3.4). */
export const targetView = async ({ state }: BuilderReads, target: Hash): Promise<OwnView> => {
  const { memory, group } = state;
  const node = await memory.find(target);
  if (!node) {
    throw serviceError('BlockNotFound', `There is no block with the hash ${target} here.`, {
      resource: `Block ${target}`,
      field: 'targetBlockHash',
    });
  }
  const { header, from, height } = node;
  if (from !== group || height === 0) {
    const reason =
      from === group ? 'it is the first of its chain' : `it is of group ${from}, the sender of group ${group}`;
    throw serviceError(
      'InvalidTargetBlock',
      `Nothing can be built on the block ${target}: ${reason}. Leave it out to build on the newest blocks.`,
      { field: 'targetBlockHash' },
    );
  }
  return memory.loaded(() => ownView(memory, header.blockDeps));
};

/** The usable outputs of an address there, the mempool's included. `now`: milliseconds since 1970. */
export const usableAtTarget = async (
  node: BuilderReads,
  { state, view }: OwnView,
  lockupScript: AssetLockupScript,
  now: bigint,
): Promise<readonly LeveledOutput[]> => {
  const { memory, pool } = node.state;
  const found = await addressOutputs(node.store, state.outputRoot, lockupScript, view, memory.nodes);
  const blocks = found.map((stored): LeveledOutput => ({ ...stored, level: 0 }));
  const pooled = pool.outputsTo(lockupScript).map((stored): LeveledOutput => ({ ...stored, level: 2 }));
  return [...blocks, ...pooled].filter(
    ({ reference, output }) => output.lockTime <= now && pool.spenderOf(reference) === undefined,
  );
};
