import { type VirtualTime } from '../virtual-time/index.js';
import { type Access, type SignedTransaction } from './access.js';
import { isRefusal, textOf } from './careful-client.js';
import { type SentTransaction, type SentTransactions } from './sent-transactions.js';

/** Virtual milliseconds: between two polls of a status, and until a missing status is a defect. */
export interface WaitTimes {
  readonly look: number;
  /** Of the receiver's group; default: the same. */
  readonly lookAtReceiver?: number;
  readonly patience: number;
}

/** Submits transactions and waits for their result. */
export class Sender {
  constructor(
    readonly access: Access,
    private readonly time: VirtualTime,
    private readonly sent: SentTransactions,
    private readonly times: WaitTimes = { look: 250, patience: 180_000 },
  ) {}

  /** The acknowledged transaction. `mayRefuse`: it has a rival, so a refusal is no defect. */
  async submit(transaction: SignedTransaction, mayRefuse = false): Promise<SentTransaction | undefined> {
    const { txId, from, to } = transaction;
    const entry = this.sent.add({ txId, from, to, sentAt: this.time.now, acknowledged: false });
    try {
      await this.access.submit(transaction);
      entry.acknowledged = true;
      return entry;
    } catch (error) {
      if (mayRefuse && isRefusal(error)) this.sent.refused += 1;
      else this.sent.defects.push(`submit of ${txId} from group ${from} to ${to}: ${textOf(error)}`);
      return undefined;
    }
  }

  /** Waits until it is in a canonical block, or left the pool with a reason. */
  async wait(entry: SentTransaction): Promise<'confirmed' | 'left'> {
    const { txId, from, to } = entry;
    const until = this.time.now + this.times.patience;
    while (this.time.now < until) {
      const status = await this.access.status(entry);
      if (status.type === 'Confirmed') {
        entry.confirmedAt ??= this.time.now;
        entry.blockHash = status.blockHash;
        return 'confirmed';
      }
      if (status.type === 'TxNotFound') {
        if (status.reason) entry.reason = `${status.reason.code}: ${status.reason.detail}`;
        else this.sent.defects.push(`${txId} was acknowledged by group ${from} and is not found`);
        return 'left';
      }
      await this.time.sleep(this.times.look);
    }
    this.sent.defects.push(`${txId} of chain (${from}, ${to}) was not confirmed within ${this.times.patience} ms`);
    return 'left';
  }

  /**
   * The virtual time at which the receiver's group has included it, from the view of the sender's group; undefined:
   * never.
   */
  async includedByReceiver(entry: SentTransaction): Promise<number | undefined> {
    const { txId, from, to } = entry;
    const until = this.time.now + this.times.patience;
    while (this.time.now < until) {
      const status = await this.access.status(entry);
      if (status.type === 'Confirmed' && status.toGroupConfirmations > 0) return this.time.now;
      await this.time.sleep(this.times.lookAtReceiver ?? this.times.look);
    }
    this.sent.defects.push(`${txId} of chain (${from}, ${to}) was not included by its receiver's group`);
    return undefined;
  }
}
