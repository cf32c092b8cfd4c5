import { RecentMap } from '@shardnode/core/eviction';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { chainIndexOfHash } from '@shardnode/protocol/block';
import { flatIndex, type Hash } from '@shardnode/protocol/primitives';
import { type FeedBlock } from '../blocks/feed-block.js';
import { type ChainPuller } from './chain-puller.js';

export interface DependencyParts {
  readonly groups: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Those of the hashes whose blocks are applied or stored as side blocks. */
  readonly stored: (hashes: readonly Hash[]) => Promise<readonly Hash[]>;
  /** A block that is not canonical, from a group-node. */
  readonly fetch: (hash: Hash) => Promise<FeedBlock>;
  readonly storeSide: (block: FeedBlock) => Promise<void>;
  /** A dependency is known now. */
  readonly changed: () => void;
  readonly expired: () => void;
}

interface Wait {
  readonly since: number;
  /** Pulls of its chain that were complete when the wait began. */
  readonly pulls: number;
  fetching: boolean;
}

/** Hashes of known blocks in memory. */
const remembered = 200_000;
/** Milliseconds after which blocks no longer wait for a dependency (protocol 08 §4.4). */
const longestWait = 30_000;
/** Milliseconds within which group-nodes show a block that others depend on already. */
const usualWait = 5_000;

/**
 * Which dependencies of queued blocks are known, and what is done about those that are not: pull their chain, then
 * fetch the block as a side block, then go on without it (protocol 08 §4.4).
 */
export class Dependencies {
  private readonly known = new RecentMap<Hash, true>(remembered);
  /** In neither the database nor memory: the writer itself adds what comes later. */
  private readonly absent = new Set<Hash>();
  private readonly waits = new Map<Hash, Wait>();

  constructor(private readonly parts: DependencyParts) {}

  readonly isKnown = (hash: Hash): boolean => this.known.get(hash) === true;

  add(hash: Hash): void {
    this.known.set(hash, true);
    this.absent.delete(hash);
    this.waits.delete(hash);
  }

  /** Looks in the database for those not looked for before. Returns whether one was found. */
  async lookUp(missing: ReadonlySet<Hash>): Promise<boolean> {
    const unknown = [...missing].filter((hash) => !this.absent.has(hash));
    const found = await this.parts.stored(unknown);
    for (const hash of unknown) this.absent.add(hash);
    for (const hash of found) this.add(hash);
    return found.length > 0;
  }

  /** No block is ready: obtains the dependencies that they wait for. Call it again after each change and each second. */
  obtain(missing: ReadonlySet<Hash>, pullers: readonly ChainPuller[]): void {
    for (const hash of [...this.waits.keys()]) if (!missing.has(hash)) this.waits.delete(hash);
    for (const hash of missing) {
      const { groups } = this.parts;
      const puller = pullers[flatIndex(chainIndexOfHash(hash, groups), groups)]!;
      this.obtainOne(hash, puller);
    }
  }

  /** Those that blocks have waited for longer than usual. */
  unshown(): Hash[] {
    const now = this.parts.clock.monotonic();
    return [...this.waits].filter(([, { since }]) => now - since >= usualWait).map(([hash]) => hash);
  }

  private obtainOne(hash: Hash, puller: ChainPuller): void {
    const now = this.parts.clock.monotonic();
    const wait = this.waits.get(hash);
    if (puller.stoppedBy !== undefined) return this.giveUp(hash);
    if (!wait) {
      this.waits.set(hash, { since: now, pulls: puller.completed, fetching: false });
      if (!isQueued(puller, hash)) puller.request();
      return;
    }
    if (now - wait.since >= longestWait) {
      this.parts.expired();
      this.parts.logger.warn({ hash }, 'dependencyWaitExpired');
      this.giveUp(hash);
    } else if (puller.completed > wait.pulls && !isQueued(puller, hash) && !wait.fetching) {
      wait.fetching = true;
      void this.fetch(hash, wait);
    }
  }

  private giveUp(hash: Hash): void {
    this.add(hash);
    this.parts.changed();
  }

  private async fetch(hash: Hash, wait: Wait): Promise<void> {
    try {
      await this.parts.storeSide(await this.parts.fetch(hash));
      this.add(hash);
      this.parts.changed();
    } catch (error) {
      this.parts.logger.debug({ err: error, hash }, 'a dependency could not be fetched');
    } finally {
      wait.fetching = false;
    }
  }
}

const isQueued = ({ chain }: ChainPuller, hash: Hash): boolean =>
  chain.queue.some(({ block }) => block.header.hash === hash);
