import { type Clock } from '@shardnode/core/lifecycle';
import { type PeerPublisher, type PendingItem, serviceError } from '@shardnode/messages';
import { encode } from '@shardnode/protocol/encoding';
import { type PooledTransaction } from '@shardnode/protocol/policy';
import { type Hash } from '@shardnode/protocol/primitives';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { refusalReason } from '@shardnode/protocol/validation';
import { type GroupState } from '../view/group-state.js';
import { type WorkQueue } from '../writer/work-queue.js';
import { type GroupStore } from '../store/index.js';
import { type PendingWriter } from './pending-writer.js';
import { type Submission } from './submission.js';
import { type PoolUpkeep } from './upkeep.js';

export interface PoolControlParts {
  readonly state: GroupState;
  readonly store: GroupStore;
  readonly queue: WorkQueue;
  readonly pending: PendingWriter;
  readonly submission: Submission;
  readonly upkeep: PoolUpkeep;
  readonly peers: PeerPublisher;
  readonly clock: Clock;
}

export interface PendingQuery {
  readonly offset?: number;
  readonly limit?: number;
  /** Only those whose receivers are in this group. */
  readonly to?: number;
  /** Bytes of templates; the first one is always there. */
  readonly maxBytes?: number;
}

export interface PendingPage {
  readonly transactions: readonly PendingItem[];
  readonly total: number;
}

/** Limit of the bytes of templates in a page; a single larger one has its own page. */
const longestPage = 700_000;
/** Milliseconds that validation holds the writer before it yields to other tasks. */
const turnMs = 20;

/** Operations of operators on the pool (protocol 07 §12). */
export class PoolControl {
  private validating: Promise<number> | undefined;

  constructor(private readonly parts: PoolControlParts) {}

  /** Outgoing transactions in the order of protocol 02 §13.3. */
  list({ offset = 0, limit = Number.POSITIVE_INFINITY, to, maxBytes = longestPage }: PendingQuery): PendingPage {
    const outgoing = this.outgoing().filter(({ chainIndex }) => to === undefined || chainIndex.to === to);
    const most = Math.min(longestPage, maxBytes);
    const transactions: PendingItem[] = [];
    let bytes = 0;
    for (const { chainIndex, template } of outgoing.slice(offset, offset + limit)) {
      const raw = encode(transactionTemplateCodec, template);
      bytes += raw.length;
      if (transactions.length > 0 && bytes > most) break;
      transactions.push({ from: chainIndex.from, to: chainIndex.to, template: raw });
    }
    return { transactions, total: outgoing.length };
  }

  /**
   * Sends the transaction to the group of its receivers again; an intra-group transaction has no such group. @throws
   * ServiceError `not-found`
   */
  rebroadcast(txId: Hash): void {
    const { state, peers } = this.parts;
    const pooled = state.pool.get(txId);
    if (!pooled || !this.isOutgoing(pooled)) {
      const resource = `TxId: ${txId}`;
      throw serviceError('TransactionNotFound', `${resource} not found`, { resource });
    }
    const { from, to } = pooled.chainIndex;
    if (from !== to)
      peers.publish('peer.tx', { from, to, template: encode(transactionTemplateCodec, pooled.template) });
  }

  /**
   * Judges every transaction as if it arrived now, parents first. Refused ones leave with their dependents. Returns the
   * number of transactions that left meanwhile. Concurrent callers share the result of one run, because it may exceed
   * their timeout.
   */
  validate(): Promise<number> {
    return (this.validating ??= this.validateAll().finally(() => (this.validating = undefined)));
  }

  /**
   * Removes all transactions, the stored ones and those of other groups included. No reason is stored, because no rule
   * refused them. The pool in memory is cleared first: a transaction that is being stored is then either stored already
   * and removed, or is not stored.
   */
  async clear(): Promise<number> {
    const { state, store, queue, pending } = this.parts;
    return queue.run('clear', async () => {
      const { size } = state.pool;
      state.pool.clear();
      await pending.idle();
      const stored = await store.listPending();
      if (stored.length > 0) await store.changePool({ removed: stored.map(({ txId }) => txId) });
      return size;
    });
  }

  private async validateAll(): Promise<number> {
    const { state, queue, clock } = this.parts;
    const all = this.outgoing().sort((a, b) => Number(a.enteredAt - b.enteredAt));
    const waiting = [...all];
    while (waiting.length > 0) {
      await queue.run('validate', async () => {
        const until = clock.monotonic() + turnMs;
        while (waiting.length > 0 && clock.monotonic() < until) await this.judge(waiting.shift()!);
      });
    }
    return all.filter(({ id }) => !state.pool.get(id)).length;
  }

  private async judge({ id, template }: PooledTransaction): Promise<void> {
    const { state, submission, upkeep } = this.parts;
    if (!state.pool.get(id)) return;
    const { refusal } = await submission.verdict(template, id);
    if (!refusal) return;
    await upkeep.drop([id], { code: refusal.code, detail: `it is not valid any more: ${refusalReason(refusal)}` });
  }

  private outgoing(): PooledTransaction[] {
    return this.parts.state.pool.all().filter((pooled) => this.isOutgoing(pooled));
  }

  private isOutgoing({ chainIndex }: PooledTransaction): boolean {
    return chainIndex.from === this.parts.state.group;
  }
}
