import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger, softwareVersion } from '@shardnode/core/observability';
import { type FeedHeartbeat, type PeerPublisher } from '@shardnode/messages';
import { repeat } from '../event-loop/repeat.js';
import { type GroupStore } from '../store/index.js';
import { type GroupState } from '../view/group-state.js';
import { ChainFeed } from './chain-feed.js';
import { type FeedMeasures } from './feed-measures.js';
import { PoolFeed } from './pool-feed.js';
import { ReadLimits } from './read-limits.js';

export interface FeedParts {
  readonly state: GroupState;
  readonly store: GroupStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly peers: PeerPublisher;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Identity of the database. */
  readonly epoch: string;
  readonly measures: FeedMeasures;
  readonly isFarBehind: () => boolean;
  readonly isSynced: () => boolean;
}

/** Milliseconds between two heartbeats (protocol 09 §3.3). */
const heartbeatEvery = 5_000;

/**
 * The feed for followers (protocol 09): announcements and the limits of pulls. A group-node works the same whether
 * anyone listens or not: nothing here waits for a follower, and nothing of the import waits for the feed.
 */
export class Feed {
  readonly chains: ChainFeed;
  readonly pool: PoolFeed;
  readonly limits: ReadLimits;
  private timer: Timer | undefined;

  constructor(private readonly parts: FeedParts) {
    const { measures } = parts;
    this.chains = new ChainFeed({ ...parts, dropped: () => measures.dropped() });
    this.pool = new PoolFeed(parts);
    this.limits = new ReadLimits({ ...parts, refused: (reason) => measures.refused(reason) });
  }

  get epoch(): string {
    return this.parts.epoch;
  }

  get isSynced(): boolean {
    return this.parts.isSynced();
  }

  /** Followers that missed the end of the last process compare the heads at once. */
  start(): void {
    this.pool.start();
    void this.beat();
    this.timer = repeat(this.parts.clock, heartbeatEvery, () => this.beat());
  }

  /** After the last commit. */
  async stop(): Promise<void> {
    this.timer?.cancel();
    this.pool.stop();
    await this.chains.stop();
  }

  /** Memory was rebuilt from the store. */
  memoryRebuilt(): void {
    this.chains.reset();
    this.pool.replaced();
  }

  /** Never rejects. */
  private async beat(): Promise<void> {
    const { logger, peers } = this.parts;
    try {
      // Sent whatever waits on the connection: by the heartbeat followers notice what was dropped.
      peers.publish('feed.heartbeat', await this.heartbeat(), { despiteCongestion: true });
    } catch (error) {
      logger.warn({ err: error }, 'the heartbeat of the feed failed');
    }
  }

  private async heartbeat(): Promise<FeedHeartbeat> {
    const { state, clock, epoch } = this.parts;
    return {
      v: 1,
      group: state.group,
      epoch,
      synced: this.isSynced,
      heads: await this.chains.heads(),
      poolSize: this.pool.size,
      nodeTime: clock.now(),
      version: softwareVersion,
    };
  }
}
