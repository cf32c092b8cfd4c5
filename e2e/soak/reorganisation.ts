import { setTimeout as pause } from 'node:timers/promises';
import { type GroupClient } from '@shardnode/messages';
import { type Block, decodeBlock } from '@shardnode/protocol/block';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { type ChainIndex, compareSignedBytes, type Hash } from '@shardnode/protocol/primitives';
import { buildMinedBlock } from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { groups } from '../kit/chains.js';
import { waitFor } from '../kit/wait-for.js';

/** Milliseconds: blocks that are under way when mining stops. */
const underWay = 1_000;
/** Milliseconds until a group-node has changed over. */
const changesOver = 10_000;

const mineOne = async (client: GroupClient, chain: ChainIndex): Promise<Block> => {
  const { blockHash: hash } = await client.request(chain.from, 'command.mining.mine-one', chain);
  const { block } = await client.request(chain.from, 'read.chain.block', { hash });
  return decodeBlock(block, settings.groups);
};

/** A block in place of another: on the same dependencies but for its parent, at the same time, without transactions. */
const rivalOf = (original: Block, parent: Hash | undefined, laterMs = 0n): Block => {
  const { chainIndex: chain, blockDeps, depStateHash, timestamp, target } = original.header;
  return buildMinedBlock({
    settings,
    chain,
    blockDeps: parent === undefined ? blockDeps : blockDeps.with(settings.groups - 1 + chain.to, parent),
    depStateHash,
    timestamp: timestamp + laterMs,
    target,
    transactions: [],
    miner: testKeyOfGroup(chain.to, settings.groups).lockupScript,
  });
};

/**
 * As heavy as the branch, and before it in the order of equal weights (protocol 03 §7.1): the last block is made again,
 * later by milliseconds, until its hash is the larger one.
 */
const rivalBranch = (branch: readonly Block[]): readonly Block[] => {
  const made: Block[] = [];
  for (const original of branch) {
    const parent = made.at(-1)?.header.hash;
    let rival = rivalOf(original, parent);
    if (original === branch.at(-1)) {
      for (let later = 1n; compareSignedBytes(rival.header.hash, original.header.hash) < 0; later++) {
        rival = rivalOf(original, parent, later);
      }
    }
    made.push(rival);
  }
  return made;
};

/**
 * Makes the network leave `depth` blocks of a chain between two groups, with their transactions, for others. Nothing else is
 * mined meanwhile: nothing builds on the blocks that are left, and no state of another chain is another after them. Mining
 * rests at the end. Fails unless the other branch becomes canonical.
 */
export const reorganise = async (client: GroupClient, chain: ChainIndex, depth: number): Promise<void> => {
  await Promise.all(groups.map((group) => client.request(group, 'command.mining.stop', {})));
  await pause(underWay);
  const branch: Block[] = [];
  for (let mined = 0; mined < depth; mined++) branch.push(await mineOne(client, chain));
  const rivals = rivalBranch(branch);
  for (const { raw } of rivals) await client.request(chain.from, 'command.block.submit', { block: raw });
  const { hash } = rivals.at(-1)!.header;
  await waitFor(
    `all group-nodes to change over to block ${hash} of chain (${chain.from},${chain.to})`,
    async () => {
      const answers = groups.map((group) => client.request(group, 'read.chain.is-canonical', { hash }));
      return (await Promise.all(answers)).every(({ isCanonical }) => isCanonical);
    },
    { timeoutMs: changesOver, everyMs: 50 },
  );
};

/** Goes on with the mining that `reorganise` has stopped; a group-node that was started meanwhile mines already. */
export const mineAgain = async (client: GroupClient): Promise<void> => {
  await Promise.all(groups.map((group) => client.request(group, 'command.mining.start', {})));
};
