import { type Mutex } from '@shardnode/core/concurrency';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type PoolChange, type PoolTx } from '@shardnode/messages';
import { decode } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { type PendingChange, type PendingTransactions, type PoolTransaction } from '../index-store/pending.js';
import { type FeedSource } from '../group-nodes/feed-source.js';

export interface PoolParts {
  readonly source: Pick<FeedSource, 'pool'>;
  readonly pending: PendingTransactions;
  /** The turns of those who write the index. */
  readonly exclusive: Mutex;
  /** Called after each change that is stored. */
  readonly changed: (change: PendingChange) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** An error of the database. */
  readonly failed: (error: unknown) => void;
}

/** The pool of a group, as the explorer has it. */
interface Followed {
  epoch: string;
  seq: number;
  /** Changes that came while the list was under way; undefined while no list is. */
  held: PoolChange[] | undefined;
}

/** Changes that wait for their turn, as one. */
interface Gathered {
  readonly added: Map<Hash, PoolTransaction>;
  readonly removed: Set<Hash>;
}

/** Follows the mempools of the groups: lists are the truth, changes are hints (protocol 08 §4.10, 09 §3.2). */
export class PendingPools {
  private readonly pools = new Map<number, Followed>();
  private last: Promise<void> = Promise.resolve();
  /** The newest of those that wait, unless a list follows them. */
  private gathered: Gathered | undefined;

  constructor(private readonly parts: PoolParts) {}

  /** Makes the pending transactions of a group equal to its list. */
  async list(group: number): Promise<void> {
    const pool = this.pools.get(group) ?? { epoch: '', seq: 0, held: undefined };
    if (pool.held) return;
    this.pools.set(group, pool);
    pool.held = [];
    try {
      const { epoch, seq, transactions } = await this.parts.source.pool(group);
      this.gathered = undefined;
      await this.inOrder(() => this.parts.pending.equal(group, this.decoded(transactions), this.now()));
      [pool.epoch, pool.seq] = [epoch, seq];
    } catch (error) {
      this.parts.logger.debug({ err: error, group }, 'the mempool of a group could not be listed');
    } finally {
      const { held } = pool;
      pool.held = undefined;
      for (const change of held) this.change(group, change);
    }
  }

  /** A change as announced. One that was lost shows in the number of the next. */
  change(group: number, change: PoolChange): void {
    const pool = this.pools.get(group);
    if (!pool) return;
    if (pool.held) return void pool.held.push(change);
    if (change.epoch === pool.epoch && change.seq <= pool.seq) return;
    const isNext = change.epoch === pool.epoch && change.seq === pool.seq + 1 && change.overflow !== true;
    if (!isNext) return void this.list(group);
    pool.seq = change.seq;
    const { added, removed } = this.waiting();
    for (const { txId } of change.removed) {
      added.delete(txId);
      removed.add(txId);
    }
    for (const transaction of this.decoded(change.added)) added.set(transaction.txId, transaction);
  }

  /** The changes that the next turn stores. */
  private waiting(): Gathered {
    if (this.gathered) return this.gathered;
    const gathered: Gathered = { added: new Map(), removed: new Set() };
    this.gathered = gathered;
    void this.inOrder(() => {
      if (this.gathered === gathered) this.gathered = undefined;
      return this.parts.pending.change([...gathered.added.values()], [...gathered.removed]);
    });
    return gathered;
  }

  /** Resolves when all changes so far are stored. */
  async settled(): Promise<void> {
    await this.last;
  }

  private now(): bigint {
    return BigInt(this.parts.clock.now());
  }

  private inOrder(store: () => Promise<PendingChange>): Promise<void> {
    this.last = this.last
      .then(() => this.parts.exclusive(store))
      .then(this.parts.changed)
      .catch((error: unknown) => this.parts.failed(error));
    return this.last;
  }

  /** The time of a transaction is that at which the explorer sees it first (protocol 08 §5.12). */
  private decoded(transactions: readonly PoolTx[]): PoolTransaction[] {
    return transactions.flatMap(({ txId, chainFrom: from, chainTo: to, template }) => {
      try {
        const bytes = new Uint8Array(Buffer.from(template, 'base64'));
        return [{ txId, chain: { from, to }, template: decode(transactionTemplateCodec, bytes), seenAt: this.now() }];
      } catch (error) {
        this.parts.logger.warn({ err: error, txId }, 'a pending transaction cannot be decoded');
        return [];
      }
    });
  }
}
