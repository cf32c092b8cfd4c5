import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { mostPoolEntries, type PeerPublisher, type PoolRemoval, type PoolTx } from '@shardnode/messages';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type DropCause, type PooledTransaction } from '@shardnode/protocol/policy';
import { type Hash } from '@shardnode/protocol/primitives';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { type GroupState } from '../view/group-state.js';

export interface PoolFeedParts {
  readonly state: GroupState;
  readonly clock: Clock;
  readonly peers: PeerPublisher;
  /** Returns so many random bytes: the identity of the process is drawn. */
  readonly randomBytes: (length: number) => Uint8Array;
}

/** Milliseconds over which changes are collected (protocol 09 §3.2). */
const collecting = 250;

/** Limits of a page of `read.pool.list`; bytes of the encoded list. */
const page = { transactions: 500, bytes: 700_000 };
/** Bytes of an entry besides its template. */
const bytesOfEntry = 180;

const poolTx = ({ id, chainIndex, template, enteredAt }: PooledTransaction): PoolTx => ({
  txId: id,
  chainFrom: chainIndex.from,
  chainTo: chainIndex.to,
  template: Buffer.from(encode(transactionTemplateCodec, template)).toString('base64'),
  seenAt: Number(enteredAt),
});

/** Collects changes of the pool's outgoing transactions and announces them (protocol 09 §3.2). */
export class PoolFeed {
  /** Identity of this process. */
  readonly epoch: string;
  private seq = 0;
  private readonly added = new Map<Hash, PooledTransaction>();
  private readonly removed = new Map<Hash, PoolRemoval>();
  private isOverflown = false;
  private timer: Timer | undefined;
  private isStopped = false;

  constructor(private readonly parts: PoolFeedParts) {
    this.epoch = bytesToHex(parts.randomBytes(8));
  }

  /** Begins with the pool as it is. */
  start(): void {
    this.watch();
  }

  stop(): void {
    this.isStopped = true;
    this.timer?.cancel();
  }

  /** Another pool took the place of the one in memory: followers take the list. */
  replaced(): void {
    this.isOverflown = true;
    this.changed();
    this.watch();
  }

  /** Outgoing transactions. */
  get size(): number {
    const { pool, group, settings } = this.parts.state;
    return Array.from({ length: settings.groups }, (_, to) => pool.countOf({ from: group, to })).reduce(
      (a, b) => a + b,
    );
  }

  /** Outgoing transactions with ids above `after`, in their order. */
  list(after: Hash = '') {
    const { pool, group } = this.parts.state;
    const rest = pool
      .all()
      .filter(({ id, chainIndex }) => chainIndex.from === group && id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const transactions: PoolTx[] = [];
    let bytes = 0;
    for (const entry of rest.slice(0, page.transactions)) {
      const transaction = poolTx(entry);
      bytes += transaction.template.length + bytesOfEntry;
      if (transactions.length > 0 && bytes > page.bytes) break;
      transactions.push(transaction);
    }
    const more = transactions.length < rest.length;
    return { epoch: this.epoch, seq: this.seq, transactions, more, size: this.size };
  }

  private watch(): void {
    this.parts.state.pool.watch({
      added: (transaction) => {
        this.removed.delete(transaction.id);
        this.added.set(transaction.id, transaction);
        this.changed();
      },
      removed: ({ id }, cause: DropCause) => {
        // One that came and went within the time is not worth a message, but its removal is harmless.
        this.added.delete(id);
        this.removed.set(id, cause);
        this.changed();
      },
    });
  }

  private changed(): void {
    if (this.added.size + this.removed.size > mostPoolEntries) {
      this.isOverflown = true;
      this.added.clear();
      this.removed.clear();
    }
    if (this.isStopped) return;
    this.timer ??= this.parts.clock.after(collecting, () => this.publish());
  }

  private publish(): void {
    this.timer = undefined;
    const { epoch, size, isOverflown } = this;
    const added = isOverflown ? [] : [...this.added.values()].map(poolTx);
    const removed = isOverflown ? [] : [...this.removed].map(([txId, reason]) => ({ txId, reason }));
    this.added.clear();
    this.removed.clear();
    this.isOverflown = false;
    const seq = ++this.seq;
    this.parts.peers.publish('feed.pool', {
      v: 1,
      epoch,
      seq,
      added,
      removed,
      size,
      ...(isOverflown && { overflow: true as const }),
    });
  }
}
