import { type FeedFollower } from '@shardnode/testing/feed-follower';
import { type TestNetwork, until } from './network.js';

/** Canonical hashes of a chain at a group-node, by height. */
const canonicalHashes = async (network: TestNetwork, from: number, to: number): Promise<string[]> => {
  const { heads } = await network.explorer.request(from, 'read.chain.heads', {});
  const { height } = heads[to]!;
  const lists = await Promise.all(
    Array.from({ length: height + 1 }, (_, at) =>
      network.client.request(from, 'read.chain.hashes', { from, to, height: at }),
    ),
  );
  return lists.map(({ hashes }) => hashes[0]!);
};

/** The first difference between a follower and the nodes; undefined: it has every canonical block and the whole pool. */
const differenceOf = async (network: TestNetwork, follower: FeedFollower): Promise<string | undefined> => {
  for (const from of network.groups) {
    for (const to of network.groups) {
      const expected = (await canonicalHashes(network, from, to)).join(' ');
      const followed = follower.blocks(from, to).map(({ hash }) => hash);
      if (followed.join(' ') !== expected) return `chain (${from},${to}) ends at ${followed.length - 1}`;
    }
    const { transactions } = await network.client.request(from, 'read.mempool.list', {});
    if (follower.pending(from).length !== transactions.length) return `pool of ${from}`;
  }
  return undefined;
};

/** Waits until a follower is up to date: at most the interval of heartbeats and some pulls (protocol 09 §6, §11). */
export const untilFollowed = async (network: TestNetwork, follower: FeedFollower): Promise<void> => {
  let difference: string | undefined = 'nothing was compared';
  const isSame = async (): Promise<boolean> => (difference = await differenceOf(network, follower)) === undefined;
  await until('the follower is up to date', isSame, 15_000).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}: ${difference}; ${follower.problems.join(', ')}`);
  });
};
