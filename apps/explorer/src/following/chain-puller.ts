import { ServiceError } from '@shardnode/core/errors';
import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type FeedPlace } from '@shardnode/messages';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type FeedBlock } from '../blocks/feed-block.js';
import { InvalidFeedReply } from '../group-nodes/checked-reply.js';
import { type FeedSource, type Pulled } from '../group-nodes/feed-source.js';
import { type FollowedChain } from './followed-chain.js';
import { locatorHeights } from '../group-nodes/locators.js';
import { NetworkMismatch } from './network-mismatch.js';

export interface PullerParts {
  readonly source: FeedSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hashes of applied blocks, by height. */
  readonly hashesAt: (chain: ChainIndex, heights: readonly number[]) => Promise<ReadonlyMap<number, Hash>>;
  /** The queue or the state of the chain has changed. */
  readonly changed: () => void;
  readonly pullFailed: (error: unknown) => void;
  /** An error that is not of the chain: of the database, or of the network. */
  readonly failed: (error: unknown) => void;
}

/** Milliseconds (protocol 08 §4.3 step 4, §4.15). */
const pauses = { invalid: 1_000, firstRetry: 1_000, longestRetry: 30_000 };
/** Invalid replies in a row that stop a chain (protocol 09 §8). */
const mostInvalid = 3;

/** Blocks of a reply that are applied already, by the hashes of the applied blocks. */
export const countKnown = (blocks: readonly FeedBlock[], applied: ReadonlyMap<number, Hash>): number => {
  const first = blocks.findIndex(({ height, block }) => applied.get(height) !== block.header.hash);
  return first < 0 ? blocks.length : first;
};

/** Pulls the blocks of a chain on request, one pull at a time (protocol 08 §4.3). */
export class ChainPuller {
  /** Pulls that succeeded so far. */
  completed = 0;
  /** Why the chain is no longer followed. */
  stoppedBy: string | undefined;
  /** Whether its group-nodes do not answer. */
  isUnreachable = false;
  private inFlight: Promise<void> | undefined;
  private isDue = false;
  private hasMore = false;
  private asksSecond = false;
  private failures = 0;
  private invalid = 0;
  private timer: Timer | undefined;
  private isClosed = false;

  constructor(
    readonly chain: FollowedChain,
    private readonly parts: PullerParts,
  ) {}

  get isPulling(): boolean {
    return this.inFlight !== undefined;
  }

  /** A pull is due: at once, or after the one in flight. */
  request(): void {
    this.isDue = true;
    this.next();
  }

  /** A head of the chain at its group-node, from an announcement, a heartbeat or the reconciliation. */
  heard(head: FeedPlace): void {
    if (head.hash !== this.chain.top?.hash) this.request();
  }

  /** The queue has become shorter. */
  roomMade(): void {
    this.next();
  }

  /** Follows the chain no longer. */
  stop(reason: string): void {
    if (this.stoppedBy !== undefined) return;
    this.stoppedBy = reason;
    this.parts.logger.error({ chain: this.chain.chain, reason }, 'ChainStopped');
    this.parts.changed();
  }

  /** Resolves when no pull is in flight. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.timer?.cancel();
    await this.inFlight;
  }

  private next(): void {
    if (this.isClosed || this.stoppedBy !== undefined || this.inFlight) return;
    if (!this.isDue && !(this.hasMore && this.timer === undefined && this.chain.hasRoom)) return;
    this.timer?.cancel();
    this.timer = undefined;
    this.isDue = false;
    this.inFlight = this.pull()
      .catch((error: unknown) => this.pullFailed(error))
      .finally(() => {
        this.inFlight = undefined;
        if (!this.isClosed) this.parts.changed();
        this.next();
      });
  }

  private async pull(): Promise<void> {
    const { chain } = this;
    const { generation } = chain;
    const { source } = this.parts;
    const locators = await this.locators();
    const pulled = await source.pull(chain.chain, locators, this.asksSecond);
    const { fork, blocks } = await this.withoutApplied(pulled);
    // A node that builds its chains again after its database was replaced is not followed downwards (09 §6).
    const isFollowed = pulled.head.height >= (chain.head?.height ?? -1) || (await source.isSynced(pulled.group));
    if (this.isClosed) return;
    if (chain.generation !== generation) {
      this.isDue = true;
      return;
    }
    [this.failures, this.invalid, this.asksSecond, this.isUnreachable] = [0, 0, false, false];
    this.completed += 1;
    if (!isFollowed) return;
    this.hasMore = pulled.more;
    chain.accept(fork, blocks, pulled.head);
  }

  /** Of the chain as it is queued and applied. */
  private async locators(): Promise<FeedPlace[]> {
    const { chain } = this;
    const heights = locatorHeights(chain.top?.height ?? -1);
    // After a start: what was applied since is in memory.
    if (heights.some((height) => chain.hashAt(height) === undefined)) {
      const { generation } = chain;
      const hashes = await this.parts.hashesAt(chain.chain, chain.rememberedHeights);
      if (chain.generation === generation) chain.remember(hashes);
    }
    return heights.flatMap((height) => {
      const hash = chain.hashAt(height);
      return hash === undefined ? [] : [{ height, hash }];
    });
  }

  /** Locators are thin, so a reply may begin below the true fork: such blocks stay applied. */
  private async withoutApplied({ fork, blocks }: Pulled): Promise<Pick<Pulled, 'fork' | 'blocks'>> {
    const { head, chain } = this.chain;
    if (!head || !fork || fork.height >= head.height) return { fork, blocks };
    const heights = blocks.map(({ height }) => height).filter((height) => height <= head.height);
    const known = countKnown(blocks, await this.parts.hashesAt(chain, heights));
    if (known === 0) return { fork, blocks };
    const last = blocks[known - 1]!;
    return { fork: { height: last.height, hash: last.block.header.hash }, blocks: blocks.slice(known) };
  }

  private pullFailed(error: unknown): void {
    if (this.isClosed) return;
    this.parts.pullFailed(error);
    if (error instanceof InvalidFeedReply) return this.invalidReply(error);
    if (!(error instanceof ServiceError)) return this.parts.failed(error);
    if (error.code === 'GenesisMismatch') return this.parts.failed(new NetworkMismatch(error.detail));
    if (error.kind === 'invalid-request') {
      this.parts.logger.error({ err: error, chain: this.chain.chain }, 'a pull was refused as invalid');
      return;
    }
    this.isUnreachable = true;
    this.failures += 1;
    this.retryAfter(Math.min(pauses.longestRetry, pauses.firstRetry * 2 ** Math.min(this.failures - 1, 10)));
  }

  private invalidReply(error: InvalidFeedReply): void {
    this.parts.logger.warn({ err: error, chain: this.chain.chain }, 'InvalidFeedReply');
    this.invalid += 1;
    if (this.invalid >= mostInvalid) return this.stop(error.message);
    this.asksSecond = !this.asksSecond;
    this.retryAfter(pauses.invalid);
  }

  private retryAfter(milliseconds: number): void {
    this.timer?.cancel();
    this.timer = this.parts.clock.after(milliseconds, () => {
      this.timer = undefined;
      this.request();
    });
  }
}
