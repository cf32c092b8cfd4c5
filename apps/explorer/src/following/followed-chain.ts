import { type FeedPlace } from '@shardnode/messages';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type FeedBlock } from '../blocks/feed-block.js';
import { deepestLocator } from '../group-nodes/locators.js';

/** Bounds of a queue above which no further blocks are pulled (protocol 08 §4.3 step 6). */
const fullQueue = { blocks: 1_000, bytes: 32 * 1024 * 1024 };

/** Blocks that replace the top of a chain. */
export interface Replacement {
  readonly forkHeight: number;
  /** Empty when the node's head is the fork. */
  readonly added: readonly FeedBlock[];
}

export const placeOf = ({ height, block }: FeedBlock): FeedPlace => ({ height, hash: block.header.hash });

const isSame = (a: FeedPlace | undefined, b: FeedPlace | undefined): boolean =>
  a?.height === b?.height && a?.hash === b?.hash;

/**
 * A chain in the explorer: the applied blocks up to `head`, and a queue of pulled blocks. The queue continues
 * the applied block `base`: the head, or one below it while a reorganisation is pending.
 */
export class FollowedChain {
  /** The canonical head at the group-node, as known last. */
  nodeHead: FeedPlace | undefined;
  readonly queue: FeedBlock[] = [];
  /** Changes when blocks that locators named are no longer followed: replies to earlier requests are void. */
  generation = 0;
  private base: FeedPlace | undefined;
  private bytes = 0;
  /** Hashes of applied blocks by height, for locators: genesis, and those at most `deepestLocator` below the head. */
  private readonly recent = new Map<number, Hash>();

  /**
   * @param applied head; undefined of an empty chain
   * @param time of its block, milliseconds since 1970
   */
  constructor(
    readonly chain: ChainIndex,
    private applied: FeedPlace | undefined,
    private time = 0,
  ) {
    this.base = applied;
  }

  /** The applied head. */
  get head(): FeedPlace | undefined {
    return this.applied;
  }

  /** Time of the block applied last, milliseconds since 1970. */
  get headTime(): number {
    return this.time;
  }

  /** The last block that is queued, else the last applied one that stays. */
  get top(): FeedPlace | undefined {
    const last = this.queue.at(-1);
    return last ? placeOf(last) : this.base;
  }

  /** The height from which on the queue, and not the applied blocks, says which blocks there are. */
  get queuedFrom(): number {
    return (this.base?.height ?? -1) + 1;
  }

  get isReorganising(): boolean {
    return !isSame(this.base, this.applied);
  }

  /** Whether more blocks may be pulled before some are applied. A pending reorganisation needs all of its blocks. */
  get hasRoom(): boolean {
    if (this.isReorganising && !this.replacement) return true;
    return this.queue.length < fullQueue.blocks && this.bytes < fullQueue.bytes;
  }

  /** Applied up to the node's head. */
  get isCaughtUp(): boolean {
    return this.nodeHead !== undefined && isSame(this.applied, this.nodeHead);
  }

  /** Blocks that the node has above the applied ones. */
  get lag(): number {
    return Math.max(0, (this.nodeHead?.height ?? -1) - (this.applied?.height ?? -1));
  }

  /** The block of the queue at a height. */
  queued(height: number): FeedBlock | undefined {
    return this.queue[height - this.queuedFrom];
  }

  /** The hash of a queued block, or of an applied one that stays, if it is in memory. */
  hashAt(height: number): Hash | undefined {
    return height < this.queuedFrom ? this.recent.get(height) : this.queued(height)?.block.header.hash;
  }

  /** The heights whose hashes are in memory, once `remember` has added those of the database. */
  get rememberedHeights(): number[] {
    const head = this.applied?.height ?? -1;
    const first = Math.max(0, head - deepestLocator);
    const heights = Array.from({ length: head + 1 - first }, (_, i) => first + i);
    return first > 0 ? [0, ...heights] : heights;
  }

  /** Hashes of applied blocks. */
  remember(hashes: ReadonlyMap<number, Hash>): void {
    for (const [height, hash] of hashes) this.recent.set(height, hash);
  }

  /**
   * Takes blocks over that the node has above a fork.
   * @param fork a queued or applied block; undefined: the blocks begin with genesis
   * @param nodeHead the canonical head in the same view
   */
  accept(fork: FeedPlace | undefined, blocks: readonly FeedBlock[], nodeHead: FeedPlace): void {
    const isQueued = fork !== undefined && this.queued(fork.height)?.block.header.hash === fork.hash;
    const kept = isQueued ? this.queue.slice(0, fork.height + 1 - this.queuedFrom) : [];
    if (!isQueued) this.base = fork;
    this.queue.splice(0, this.queue.length, ...kept, ...blocks);
    this.bytes = this.queue.reduce((sum, { block }) => sum + block.raw.length, 0);
    this.nodeHead = nodeHead;
  }

  /**
   * The pending reorganisation (protocol 08 §4.7); undefined without one, and while blocks are missing: the new branch
   * must be as high as the old one, or end at the node's head.
   */
  get replacement(): Replacement | undefined {
    if (!this.isReorganising) return undefined;
    const forkHeight = this.queuedFrom - 1;
    const needed = (this.applied?.height ?? -1) - forkHeight;
    if (this.queue.length < needed && !isSame(this.top, this.nodeHead)) return undefined;
    return { forkHeight, added: this.queue.slice(0, needed) };
  }

  /** The first blocks of the queue are applied now; those of a replacement, too. */
  advance(count: number): void {
    if (this.isReorganising) {
      this.generation += 1;
      for (const height of this.recent.keys()) if (height >= this.queuedFrom) this.recent.delete(height);
    }
    const taken = this.queue.splice(0, count);
    for (const { height, block } of taken) {
      this.bytes -= block.raw.length;
      this.recent.set(height, block.header.hash);
      if (height > deepestLocator + 1) this.recent.delete(height - deepestLocator - 1);
    }
    const last = taken.at(-1);
    if (last) {
      this.base = placeOf(last);
      this.time = Number(last.block.header.timestamp);
    }
    this.applied = this.base;
  }

  /** Drops the queue: the blocks are pulled again from the applied head on. */
  reset(): void {
    this.queue.length = 0;
    this.bytes = 0;
    this.base = this.applied;
    this.generation += 1;
  }
}
