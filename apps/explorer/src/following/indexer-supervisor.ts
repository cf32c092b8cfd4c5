import {
  type Database,
  DatabaseError,
  type DatabaseWriter,
  processHolder,
  type SchemaStatements,
  unavailableReason,
  writerTaken,
} from '@shardnode/core/database';
import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type ChainHead, type GroupClient, type PoolChange } from '@shardnode/messages';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { explorerMigrations } from '../index-store/migrations.js';
import { markNetwork, schemaProblem } from '../index-store/schema-state.js';
import { type BackgroundJob, type JobStart } from '../background/background-job.js';
import { type LiveChanges } from '../live/live-changes.js';
import { FeedSource } from '../group-nodes/feed-source.js';
import { type FollowingMetrics } from './following-metrics.js';
import { Indexer } from './indexer.js';
import { networkCheck, NetworkMismatch } from './network-mismatch.js';
import { type SyncState } from './sync-state.js';

export interface SupervisorOptions {
  readonly database: Database;
  readonly network: NetworkSettings;
  readonly client: GroupClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: FollowingMetrics;
  readonly state: SyncState;
  /** Publishes committed changes. */
  readonly live: LiveChanges;
  /** Work beside the blocks. */
  readonly jobs: readonly BackgroundJob[];
  /** Drops the index first, once. */
  readonly resync: boolean;
  /** The explorer must end: another network, or a schema of a newer program. */
  readonly onFatal: (error: Error) => void;
}

/** Key of the advisory lock of the one writer (protocol 08 §2.1). */
const lockKey = 0x45585052;
/** Milliseconds (protocol 08 §2.1, §4.15). A writer that worked for `stable` begins with the shortest pause again. */
const pauses = { standby: 5_000, shortest: 1_000, longest: 30_000, stable: 60_000 };

/** The lock is held by a program that is not of this version. */
class LockTaken extends Error {}

const isFatal = (error: unknown): error is Error =>
  error instanceof NetworkMismatch ||
  (error instanceof DatabaseError && (error.code === 'NewerSchema' || error.code === 'ChangedMigration'));

/**
 * Takes the lock of the one writer, migrates, and runs an `Indexer`; again after each loss of the database. Without the
 * lock the process is on standby (protocol 08 §2.1).
 */
export class IndexerSupervisor {
  private session: DatabaseWriter | undefined;
  private indexer: Indexer | undefined;
  private running: Promise<void> | undefined;
  private isStopped = false;
  private isFresh: boolean;
  private failures = 0;
  private endPause: () => void = () => undefined;
  private attempted: { resolve(): void; reject(error: Error): void } | undefined;

  constructor(private readonly options: SupervisorOptions) {
    this.isFresh = !options.resync;
  }

  /**
   * Begins, and resolves after the first attempt to write: the schema is there, unless the database fails or another
   * process makes it. Rejects when this process must not write.
   */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.attempted = { resolve, reject };
      this.running = this.run();
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.indexer?.stop();
    this.endPause();
    await this.running;
    this.tried();
    this.options.live.stop();
    await this.session?.close();
  }

  heard(from: number, epoch: string, heads: readonly Pick<ChainHead, 'chainTo' | 'height' | 'hash'>[]): void {
    this.indexer?.heard(from, epoch, heads);
  }

  /** Starts a job now, whether or not it is due. */
  startJob(job: string): JobStart {
    return this.indexer?.startJob(job) ?? 'impossible';
  }

  poolChanged(group: number, change: PoolChange): void {
    this.indexer?.poolChanged(group, change);
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const began = this.options.clock.monotonic();
      try {
        const term = await this.open();
        this.tried();
        await this.follow(term);
      } catch (error) {
        if (this.isStopped) return;
        if (isFatal(error)) return this.mustEnd(error);
        if (this.options.clock.monotonic() - began > pauses.stable) this.failures = 0;
        const pause = this.pauseAfter(error);
        this.tried();
        await this.pause(pause);
      }
    }
  }

  private tried(): void {
    this.attempted?.resolve();
    this.attempted = undefined;
  }

  private mustEnd(error: Error): void {
    if (this.attempted) this.attempted.reject(error);
    else this.options.onFatal(error);
  }

  /** The lock, for as long as it is held; the schema and its network fit. */
  private async open(): Promise<SchemaStatements> {
    const { database, network, logger } = this.options;
    this.session ??= await database.openWriter({ holder: processHolder('explorer'), onLost: () => undefined });
    const term = await this.session.term();
    const [row] = await term.query<{ taken: boolean }>('lock', 'SELECT pg_try_advisory_lock($1::int8) AS taken', [
      lockKey,
    ]);
    if (!row!.taken) throw new LockTaken();
    if (!this.isFresh) {
      logger.warn({}, 'the index is dropped and built again');
      await database.script(`DROP SCHEMA ${database.schema} CASCADE; CREATE SCHEMA ${database.schema}`);
      this.isFresh = true;
    }
    if ((await schemaProblem(database)) !== undefined) await database.migrate(explorerMigrations);
    const difference = await markNetwork(term, network);
    if (difference !== undefined) {
      throw new NetworkMismatch(`the index is of another network: its ${difference} differs; start with --resync`);
    }
    return term;
  }

  private async follow(term: SchemaStatements): Promise<void> {
    const { database, network, client, clock, logger, metrics, state, live, jobs } = this.options;
    const { groups } = network;
    const source = new FeedSource({ client, clock, checkNetwork: networkCheck(network) });
    state.pausedBy = undefined;
    this.indexer = new Indexer({
      database: term,
      reading: database,
      jobs,
      groups,
      source,
      clock,
      logger,
      metrics,
      state,
      live,
    });
    if (this.isStopped) this.indexer.stop();
    metrics.writing(true);
    try {
      await this.indexer.run();
    } finally {
      metrics.writing(false);
      this.indexer = undefined;
      state.phase = undefined;
    }
  }

  /** Milliseconds. */
  private pauseAfter(error: unknown): number {
    const { logger, state } = this.options;
    if (error instanceof LockTaken || writerTaken(error)) {
      if (state.pausedBy !== 'standby') logger.info({ err: error }, 'standby: another process writes the index');
      state.pausedBy = 'standby';
      return pauses.standby;
    }
    state.pausedBy = unavailableReason(error) ?? 'an unexpected error, see the log';
    logger.warn({ err: error }, 'the index cannot be written');
    this.failures += 1;
    return Math.min(pauses.longest, pauses.shortest * 2 ** Math.min(this.failures - 1, 10));
  }

  private async pause(milliseconds: number): Promise<void> {
    if (this.isStopped) return;
    let timer: Timer | undefined;
    await new Promise<void>((resolve) => {
      this.endPause = resolve;
      timer = this.options.clock.after(milliseconds, resolve);
    });
    timer?.cancel();
  }
}
