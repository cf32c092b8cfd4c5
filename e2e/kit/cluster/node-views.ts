import { openNatsNetwork } from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { type GroupClient } from '@shardnode/messages';
import { mapBounded } from '@shardnode/testing/ledger-oracle';
import { permittedClient } from '@shardnode/testing/permitted-client';
import { chains, groups } from '../chains.js';
import { waitFor } from '../wait-for.js';
import { type Cluster } from './cluster.js';

/** Requests to each group-node over the bus, past the proxies. */
export interface NodeViews {
  readonly client: GroupClient;
  /** Canonical hashes of a chain as a group-node sees them, by height. */
  canonical(node: number, chain: { readonly from: number; readonly to: number }): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Of one chain at one node: thousands in one burst would not all be answered within the deadline of a question. */
const heightsAtOnce = 32;

export const openNodeViews = async (cluster: Cluster): Promise<NodeViews> => {
  const access = cluster.busAccess();
  const network = openNatsNetwork({ ...access, logger: silentLogger });
  const client = await permittedClient(network, { ns: access.ns, groups: groups.length });
  return {
    client,
    canonical: async (node, chain) => {
      const { currentHeight } = await client.request(node, 'read.chain.info', chain);
      const heights = Array.from({ length: currentHeight + 1 }, (_, height) => height);
      return mapBounded(heights, heightsAtOnce, async (height) => {
        const { hashes } = await client.request(node, 'read.chain.hashes', { ...chain, height });
        return hashes[0] ?? '';
      });
    },
    close: () => network.close(),
  };
};

/** Height and hash of the heaviest block of each chain, as one group-node sees them. */
const tipsOf = async ({ client }: NodeViews, node: number): Promise<readonly string[]> =>
  Promise.all(
    chains.map(async (chain) => {
      const { currentHeight: height } = await client.request(node, 'read.chain.info', chain);
      const { hashes } = await client.request(node, 'read.chain.hashes', { ...chain, height });
      return `${chain.from},${chain.to}: ${height} ${hashes[0]}`;
    }),
  );

const differenceOf = (all: readonly (readonly string[])[]): string | undefined => {
  const [first = [], ...others] = all;
  for (const [index, other] of others.entries()) {
    const chain = first.findIndex((tip, i) => tip !== other[i]);
    if (chain !== -1) return `group-node-0 has (${first[chain]}), group-node-${index + 1} has (${other[chain]})`;
  }
  return undefined;
};

/** All blocks of all chains, not only the last ones: a list that was moved wrongly may have a right end. */
const compareLists = async (views: NodeViews): Promise<number> => {
  let blocks = 0;
  for (const chain of chains) {
    const [first = [], ...others] = await Promise.all(groups.map((node) => views.canonical(node, chain)));
    const shortest = Math.min(first.length, ...others.map((list) => list.length));
    for (let height = 0; height < shortest; height++) {
      if (others.some((list) => list[height] !== first[height])) {
        throw new Error(`chain ${chain.from},${chain.to}: the group-nodes differ at height ${height}`);
      }
    }
    blocks += shortest;
  }
  return blocks;
};

export interface Agreement {
  /** Milliseconds from the question until all group-nodes had the same heaviest blocks. */
  readonly afterMs: number;
  /** Blocks of all 16 canonical lists, the first ones included. */
  readonly blocks: number;
}

/**
 * Waits until all four group-nodes see the same canonical lists of all 16 chains, and compares these block by block. Ask
 * when nothing is mined: chains that grow agree only for moments. Fails with the first difference after `withinMs`.
 */
export const agreement = async (cluster: Cluster, withinMs = 15_000): Promise<Agreement> => {
  const views = await openNodeViews(cluster);
  const began = performance.now();
  try {
    await waitFor(
      'all group-nodes to agree',
      async () => {
        const difference = differenceOf(await Promise.all(groups.map((node) => tipsOf(views, node))));
        if (difference !== undefined) throw new Error(difference);
        return true;
      },
      { timeoutMs: withinMs, everyMs: 50 },
    );
    const afterMs = performance.now() - began;
    return { afterMs, blocks: await compareLists(views) };
  } finally {
    await views.close();
  }
};
