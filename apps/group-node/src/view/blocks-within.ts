import { mergeByTime } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { type IntervalBlock } from '../store/index.js';
import { type NodeReads } from './reads.js';

/** Where blocks are read. */
export type BlockReads = Pick<NodeReads, 'state' | 'store'>;

/** Hashes of one statement: the deadline is looked at between two. */
const sliceLength = 256;

/** How much of an interval is read. */
export interface BlocksBudget {
  /** Bytes of bodies, and of events when they are read: see `ChainReads.blockSizes`. */
  readonly maxBytes: number;
  readonly withEvents: boolean;
  /** Called between two reads. Throws when nobody waits for the rest. */
  readonly checkDeadline: () => void;
}

export interface FittingBlocks {
  /** In the order of their timestamps. */
  readonly hashes: readonly Hash[];
  /** Blocks later than this do not fit; milliseconds since 1970. Before the interval when none fits. */
  readonly until?: number;
}

const hashesOf = (blocks: readonly IntervalBlock[]): Hash[] => blocks.map(({ hash }) => hash);

const slicesOf = function* <Item>(items: Iterable<Item>): Generator<Item[]> {
  let slice: Item[] = [];
  for (const item of items) {
    slice.push(item);
    if (slice.length < sliceLength) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
};

/** Bytes of bodies, from memory where they are there; with events as in `ChainReads.blockSizes`. */
export const sizesOf = async (
  { state, store }: BlockReads,
  hashes: readonly Hash[],
  withEvents: boolean,
): Promise<(hash: Hash) => number> => {
  const { blocks } = state.memory;
  // Memory may drop a block while the sizes of others are read.
  const cached = new Map(hashes.map((hash) => [hash, blocks.get(hash)?.raw.length]));
  const unknown = withEvents ? hashes : hashes.filter((hash) => cached.get(hash) === undefined);
  const stored = unknown.length > 0 ? await store.blockSizes(unknown, { withEvents }) : undefined;
  return (hash) => stored?.get(hash) ?? cached.get(hash) ?? 0;
};

/** The first blocks of chains that fit into a budget. Reads their sizes, and no body. */
export const fittingBlocks = async (
  node: NodeReads,
  chains: readonly (readonly IntervalBlock[])[],
  { maxBytes, withEvents, checkDeadline }: BlocksBudget,
): Promise<FittingBlocks> => {
  const timeOf = ({ timestamp }: IntervalBlock): number => Number(timestamp);
  const taken: IntervalBlock[] = [];
  let bytes = 0;
  for (const slice of slicesOf(mergeByTime(chains, timeOf))) {
    checkDeadline();
    const sizeOf = await sizesOf(node, hashesOf(slice), withEvents);
    for (const block of slice) {
      bytes += sizeOf(block.hash);
      const time = timeOf(block);
      if (bytes > maxBytes) return { hashes: hashesOf(taken.filter((each) => timeOf(each) < time)), until: time - 1 };
      taken.push(block);
    }
  }
  return { hashes: hashesOf(taken) };
};

/** The body of a block, from memory if it is there; undefined where only the header is stored. */
export const bodyOf = async ({ state, store }: BlockReads, hash: Hash): Promise<Uint8Array | undefined> =>
  state.memory.blocks.get(hash)?.raw ?? store.blockBody(hash);

/** The bodies of blocks, from memory where they are there. The function throws for a block without a stored body. */
export const bodiesOf = async (
  { state, store }: BlockReads,
  hashes: readonly Hash[],
  checkDeadline: () => void = () => undefined,
): Promise<(hash: Hash) => Uint8Array> => {
  const { blocks } = state.memory;
  const bodies = new Map<Hash, Uint8Array>();
  for (const slice of slicesOf(hashes)) {
    checkDeadline();
    const missing: Hash[] = [];
    for (const hash of slice) {
      const block = blocks.get(hash);
      if (block) bodies.set(hash, block.raw);
      else missing.push(hash);
    }
    if (missing.length === 0) continue;
    for (const [hash, body] of await store.blockBodies(missing)) bodies.set(hash, body);
  }
  return (hash) => {
    const body = bodies.get(hash);
    if (!body) throw new Error(`the store has no body of block ${hash}`);
    return body;
  };
};
