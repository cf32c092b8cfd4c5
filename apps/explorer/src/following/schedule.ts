import { flatIndex, type Hash, zeroHash } from '@shardnode/protocol/primitives';
import { type FeedBlock } from '../blocks/feed-block.js';
import { type FollowedChain, type Replacement } from './followed-chain.js';

/** Bounds of one database transaction (protocol 08 §4.5). */
export interface BatchLimits {
  readonly blocks: number;
  readonly transactions: number;
}

/** The next database transaction of the index. */
export type Work =
  | { readonly kind: 'apply'; readonly blocks: readonly FeedBlock[] }
  | ({ readonly kind: 'reorganise'; readonly chain: FollowedChain } & Replacement);

export interface Schedule {
  /** Undefined: no block is ready. */
  readonly work: Work | undefined;
  /** Dependencies for which the first blocks of chains wait. */
  readonly missing: ReadonlySet<Hash>;
}

const dependenciesOf = ({ block }: FeedBlock): readonly Hash[] =>
  block.header.blockDeps.filter((hash) => hash !== zeroHash);

/** Smaller first: the order of block ids of the index is another one. */
const isBefore = (a: FeedBlock, b: FeedBlock, groups: number): boolean => {
  const [first, second] = [a.block.header, b.block.header];
  if (first.timestamp !== second.timestamp) return first.timestamp < second.timestamp;
  return flatIndex(first.chainIndex, groups) < flatIndex(second.chainIndex, groups);
};

/**
 * A reorganisation whose blocks depend on known blocks, on each other, or on queued ones. For queued ones it does not
 * wait, because they may wait for it; inputs of theirs are resolved when they follow (protocol 08 §4.4).
 */
const readyReplacement = (
  chains: readonly FollowedChain[],
  isKnown: (hash: Hash) => boolean,
  missing: Set<Hash>,
): Work | undefined => {
  const queued = (): Set<Hash> => new Set(chains.flatMap(({ queue }) => queue.map(({ block }) => block.header.hash)));
  let allQueued: Set<Hash> | undefined;
  for (const chain of chains) {
    const { replacement } = chain;
    if (!replacement) continue;
    allQueued ??= queued();
    const unknown = replacement.added.flatMap(dependenciesOf).filter((hash) => !allQueued!.has(hash) && !isKnown(hash));
    if (unknown.length === 0) return { kind: 'reorganise', chain, ...replacement };
    for (const hash of unknown) missing.add(hash);
  }
  return undefined;
};

/**
 * The next work (protocol 08 §4.4): a complete reorganisation, else blocks in ascending order of time and chain, each
 * of which depends on known blocks or on earlier ones of the batch.
 * @param chains that are followed; stopped ones are left out
 * @param isKnown whether a block is applied, or stored as a side block
 */
export const nextWork = (
  chains: readonly FollowedChain[],
  isKnown: (hash: Hash) => boolean,
  { groups, limits }: { readonly groups: number; readonly limits: BatchLimits },
): Schedule => {
  const ofReplacements = new Set<Hash>();
  const replacement = readyReplacement(chains, isKnown, ofReplacements);
  if (replacement) return { work: replacement, missing: new Set() };
  const positions = chains.filter(({ isReorganising }) => !isReorganising).map(({ queue }) => ({ queue, next: 0 }));
  const batch: FeedBlock[] = [];
  const batched = new Set<Hash>();
  const unknownOf = (block: FeedBlock): Hash[] =>
    dependenciesOf(block).filter((hash) => !batched.has(hash) && !isKnown(hash));
  let missing = new Set<Hash>();
  for (let transactions = 0; batch.length < limits.blocks && transactions < limits.transactions;) {
    let best: (typeof positions)[number] | undefined;
    missing = new Set(ofReplacements);
    for (const position of positions) {
      const candidate = position.queue[position.next];
      if (!candidate || (best && !isBefore(candidate, best.queue[best.next]!, groups))) continue;
      const unknown = unknownOf(candidate);
      if (unknown.length === 0) best = position;
      for (const hash of unknown) missing.add(hash);
    }
    if (!best) break;
    const block = best.queue[best.next]!;
    best.next += 1;
    batch.push(block);
    batched.add(block.block.header.hash);
    transactions += block.block.transactions.length;
  }
  return { work: batch.length === 0 ? undefined : { kind: 'apply', blocks: batch }, missing };
};
