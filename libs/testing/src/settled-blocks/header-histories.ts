import { genesisBlocks, sealHeader, type SealedHeader } from '@shardnode/protocol/block';
import {
  bestDependencies,
  BlockDag,
  expectedTarget,
  missingDependencies,
  type SpentReader,
} from '@shardnode/protocol/dag';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { blockVersion, type ChainIndex, type Hash, sameChain, zeroHash } from '@shardnode/protocol/primitives';
import { oneOf, seededRandom } from '../seeded-random/index.js';

const nothing: ReadonlySet<string> = new Set();

/** Blocks that spend nothing. */
export const nothingSpent: SpentReader = { spentBy: () => nothing };

export const genesisHeaders = (settings: NetworkSettings): readonly SealedHeader[] =>
  genesisBlocks(settings).map(({ header }) => header);

/** Headers without work, with real links: nobody checks their nonces but for the chain that the hash names. */
const headerOn = (
  settings: NetworkSettings,
  chain: ChainIndex,
  fields: { readonly blockDeps: readonly Hash[]; readonly timestamp: bigint; readonly target: number },
): SealedHeader => {
  for (let nonce = 0; ; nonce++) {
    const bytes = new Uint8Array(24);
    new DataView(bytes.buffer).setUint32(20, nonce);
    const header = { ...fields, nonce: bytes, version: blockVersion, depStateHash: zeroHash, txsHash: zeroHash };
    const sealed = sealHeader(header, settings.groups);
    if (sameChain(sealed.chainIndex, chain)) return sealed;
  }
};

/** The next header of a chain on the best dependencies of a DAG. */
export const nextHeader = (dag: BlockDag, chain: ChainIndex, later: bigint): SealedHeader => {
  const { settings } = dag;
  const blockDeps = bestDependencies(dag, nothingSpent, chain.from, settings);
  const newest = blockDeps.map((hash) => dag.node(hash).timestamp).reduce((a, b) => (a > b ? a : b));
  const start = newest > 1_690_000_000_000n ? newest : 1_690_000_000_000n;
  const target = expectedTarget(dag, settings, chain, blockDeps);
  return headerOn(settings, chain, { blockDeps, timestamp: start + later, target });
};

/**
 * A random history of headers, each after its dependencies: networks that drift apart for long, meet again, are silent on
 * some chains, and pause for longer than tips last.
 */
export const randomHeaders = (settings: NetworkSettings, seed: number, length: number): SealedHeader[] => {
  const random = seededRandom(seed);
  const pick = (limit: number): number => Math.floor(random() * limit);
  const { groups } = settings;
  const genesis = genesisHeaders(settings);
  const views = Array.from({ length: 2 + pick(2) }, () => new BlockDag(settings, genesis));
  const headers: SealedHeader[] = [];
  const made = new Set<Hash>();
  const meeting = 0.01 + random() * 0.1;
  // Few chains for long: they run far ahead of the others.
  let busy = 1 + pick(3);
  while (headers.length < length) {
    if (random() < 0.02) busy = 1 + pick(random() < 0.2 ? groups * groups : 3);
    const view = oneOf(views, random);
    const flat = random() < 0.05 ? pick(groups * groups) : (seed + pick(busy)) % (groups * groups);
    const pause = random() < 0.02 ? BigInt(pick(500)) * settings.blockTargetTime : 0n;
    const header = nextHeader(
      view,
      { from: Math.floor(flat / groups), to: flat % groups },
      1n + BigInt(pick(20)) + pause,
    );
    if (!view.has(header.hash)) view.add(header);
    if (!made.has(header.hash)) headers.push(header);
    made.add(header.hash);
    if (random() < meeting) for (const each of headers) if (!view.has(each.hash)) view.add(each);
  }
  return inAnyOrder(headers, random);
};

/** Another order of arrival that respects the dependencies: a part of the headers comes much later. */
const inAnyOrder = (headers: readonly SealedHeader[], random: () => number): SealedHeader[] => {
  const known = new Set<Hash>(headers.flatMap(({ blockDeps }) => blockDeps));
  for (const { hash } of headers) known.delete(hash);
  const ordered: SealedHeader[] = [];
  let waiting = headers.map((header) => ({ header, at: random() < 0.1 ? random() * headers.length : 0 }));
  for (let step = 0; waiting.length > 0; step++) {
    const left: typeof waiting = [];
    for (const item of waiting) {
      const { header, at } = item;
      const missing = missingDependencies({ missing: (hashes) => hashes.filter((hash) => !known.has(hash)) }, header);
      if (at > step || missing.length > 0) {
        left.push(item);
        continue;
      }
      known.add(header.hash);
      ordered.push(header);
      step++;
    }
    waiting = left;
  }
  return ordered;
};
