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

export interface PendingPage {
  readonly transactions: readonly PendingItem[];
  readonly total: number;
}

/** Bytes of templates that a page has, at most, unless a single one has more. */
const longestPage = 700_000;
/** Milliseconds of a turn of the writer that validation takes before others have theirs. */
const turnMs = 20;

/** What operators do with the pool (protocol 07 §12). */
export class PoolControl {
  private validating: Promise<number> | undefined;

  constructor(private readonly parts: PoolControlParts) {}

  /** Outgoing transactions in the order of protocol 02 §13.3, from `offset` on. */
  list(offset: number, limit: number): PendingPage {
    const outgoing = this.outgoing();
    const transactions: PendingItem[] = [];
    let bytes = 0;
    for (const { chainIndex, template } of outgoing.slice(offset, offset + limit)) {
      const raw = encode(transactionTemplateCodec, template);
      bytes += raw.length;
      if (transactions.length > 0 && bytes > longestPage) break;
      transactions.push({ from: chainIndex.from, to: chainIndex.to, template: raw });
    }
    return { transactions, total: outgoing.length };
  }

  /** The group of the receivers is told again; within the group there is nobody to tell. @throws ServiceError `not-found` */
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
   * Judges each as if it came now, parents first; those that are refused leave, with what depends on them. Gives how many
   * have left meanwhile. Who asks while it runs gets the same answer: it may take longer than they wait.
   */
  validate(): Promise<number> {
    return (this.validating ??= this.validateAll().finally(() => (this.validating = undefined)));
  }

  /**
   * Forgets all, the stored ones and those of other groups included; no reason is kept, since nothing happened to them. The
   * pool in memory first: what is on its way to the store is then either there already, and removed, or stays out.
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
    const refusal = await submission.judge(template, id);
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
