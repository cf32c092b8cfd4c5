import { setTimeout as pause } from 'node:timers/promises';
import { bodyTaker, type GroupClient } from '@shardnode/messages';
import { type ChainOfBlocks, type LoadedBlocks } from './ledger-oracle.js';
import { loadNodeContracts } from './load-contracts.js';
import { loadSideBlocks } from './load-side-blocks.js';
import { loadStoredStates } from './load-stored-states.js';
import { mapBounded } from './map-bounded.js';
import { patientClient } from './patient-client.js';

export interface LoadOptions {
  /** Requests at a time; default 24. */
  readonly concurrency?: number;
  /** Maximum number of reads of the chain ends until all nodes agree and nothing changes; default 20. */
  readonly attempts?: number;
  /** Milliseconds between two reads; default 250. */
  readonly everyMs?: number;
}

interface ChainOfNode {
  readonly node: number;
  readonly from: number;
  readonly to: number;
  readonly hashes: readonly string[];
}

/** Heights per round of requests of a chain. */
const heightsAtOnce = 32;
/** Heights at the end of a chain that are read again: no fork of a living network is that long. */
const endHeights = 20;

/** The canonical hashes of a chain at a node from a height on, up to its end. */
const readHashes = async (
  client: GroupClient,
  { node, from, to }: Omit<ChainOfNode, 'hashes'>,
  start: number,
  concurrency: number,
): Promise<string[]> => {
  const found: string[] = [];
  for (;;) {
    const heights = Array.from({ length: heightsAtOnce }, (_, i) => start + found.length + i);
    const replies = await mapBounded(heights, concurrency, (height) =>
      client.request(node, 'read.chain.hashes', { from, to, height }),
    );
    const page = replies.flatMap(({ hashes }) => hashes.slice(0, 1));
    found.push(...page);
    if (page.length < heights.length) return found;
  }
};

/** The hashes of all chains at all nodes; of earlier reads only the end is read again. */
const readAllHashes = (
  client: GroupClient,
  concurrency: number,
  before?: readonly ChainOfNode[],
): Promise<ChainOfNode[]> => {
  const groups = Array.from({ length: client.groups }, (_, i) => i);
  const empty = groups.flatMap((node) =>
    groups.flatMap((from) => groups.map((to): ChainOfNode => ({ node, from, to, hashes: [] }))),
  );
  return mapBounded(before ?? empty, Math.ceil(concurrency / 8), async (chain) => {
    const kept = chain.hashes.slice(0, Math.max(0, chain.hashes.length - endHeights));
    return { ...chain, hashes: [...kept, ...(await readHashes(client, chain, kept.length, 8))] };
  });
};

const nameOf = ({ from, to }: { readonly from: number; readonly to: number }): string => `chain (${from},${to})`;

/** Sentences about chains whose canonical list at a node differs from that at the node of their first group. */
const disagreements = (chains: readonly ChainOfNode[]): string[] =>
  chains.flatMap((chain) => {
    const { node, from, to, hashes } = chain;
    const own = chains.find((other) => other.node === from && other.from === from && other.to === to)!.hashes;
    const length = Math.max(own.length, hashes.length);
    const height = Array.from({ length }, (_, i) => i).find((i) => own[i] !== hashes[i]);
    if (height === undefined) return [];
    const text = `group-node ${node} has ${hashes[height]}, group-node ${from} has ${own[height]}`;
    return [`${nameOf(chain)} at height ${height}: ${text} (${hashes.length} and ${own.length} blocks)`];
  });

const sameChains = (a: readonly ChainOfNode[], b: readonly ChainOfNode[]): boolean =>
  a.every(({ hashes }, i) => hashes.length === b[i]!.hashes.length && hashes.at(-1) === b[i]!.hashes.at(-1));

/** Hash lists of one moment: two consecutive reads are equal, and all nodes agree. */
const settledHashes = async (
  client: GroupClient,
  { concurrency = 24, attempts = 20, everyMs = 250 }: LoadOptions,
): Promise<{ readonly chains: readonly ChainOfNode[]; readonly differences: readonly string[] }> => {
  let chains = await readAllHashes(client, concurrency);
  for (let attempt = 1; ; attempt++) {
    const again = await readAllHashes(client, concurrency, chains);
    const moved = !sameChains(chains, again);
    const differences = disagreements(again);
    chains = again;
    if (!moved && differences.length === 0) return { chains, differences };
    if (attempt >= attempts) {
      return { chains, differences: moved ? [...differences, 'the chains never stood still'] : differences };
    }
    await pause(everyMs);
  }
};

/** The bodies of a chain from both nodes that store them, compared byte for byte. */
const readBodies = async (
  client: GroupClient,
  { from, to, hashes }: ChainOfNode,
  concurrency: number,
): Promise<ChainOfBlocks & { readonly differences: readonly string[] }> => {
  const holders = [from, bodyTaker(from, to, client.groups)];
  const bodies = await mapBounded(hashes, concurrency, async (hash) => {
    const replies = await Promise.all(holders.map((node) => client.request(node, 'read.chain.block', { hash })));
    const [own, second] = replies.map(({ block }) => block);
    return { hash, own: own!, isEqual: Buffer.compare(own!, second!) === 0 };
  });
  const differences = bodies
    .filter(({ isEqual }) => !isEqual)
    .map(({ hash }) => `group-nodes ${holders.join(' and ')} keep different bytes of block ${hash}`);
  return { from, to, blocks: bodies.map(({ own }) => own), differences };
};

/**
 * Loads all canonical blocks of the 16 chains from the group-nodes over the bus. Reads the canonical list of every
 * chain from every node, and the bodies from the two nodes that store them. Then reads side blocks that these depend
 * on, and from each node its state after the last block of (g,g), its contracts and their events. Reads the ends of the
 * chains until nothing changes and all nodes agree; remaining disagreements are in `differences`. The client sends as
 * the gateway. Rejects with the ServiceError of a node that does not answer after a few retries.
 */
export const loadCanonicalBlocks = async (nodes: GroupClient, options: LoadOptions = {}): Promise<LoadedBlocks> => {
  const { concurrency = 24 } = options;
  const client = patientClient(nodes);
  const settled = await settledHashes(client, options);
  const own = settled.chains.filter(({ node, from }) => node === from);
  const loaded: (ChainOfBlocks & { readonly differences: readonly string[] })[] = [];
  for (const chain of own) loaded.push(await readBodies(client, chain, concurrency));
  const canonical = loaded.flatMap(({ blocks }) => blocks);
  const lasts = own.filter(({ from, to }) => from === to).map(({ hashes }) => hashes.at(-1)!);
  return {
    chains: loaded,
    side: await loadSideBlocks(client, canonical, concurrency),
    storedStates: await loadStoredStates(client, lasts),
    contracts: await loadNodeContracts(client, canonical, concurrency),
    differences: [...settled.differences, ...loaded.flatMap(({ differences }) => differences)],
  };
};
