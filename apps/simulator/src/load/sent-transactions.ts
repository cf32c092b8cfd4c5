import { type LedgerOracle } from '@shardnode/testing/ledger-oracle';

/** A transaction that was sent, and what is known of it. Times in virtual milliseconds. */
export interface SentTransaction {
  readonly txId: string;
  readonly from: number;
  readonly to: number;
  readonly sentAt: number;
  /** A node has answered yes: it may never be lost from then on. */
  acknowledged: boolean;
  /** Seen in a canonical block. */
  confirmedAt?: number;
  blockHash?: string;
  /** Why it left the pool, where it did. */
  reason?: string;
}

/** What the load has sent, and what no careful sender may meet. */
export class SentTransactions {
  readonly all: SentTransaction[] = [];
  readonly defects: string[] = [];
  /** Double spends of which one was refused at once. */
  refused = 0;
  /** Transfers of wallets of which nobody knows whether they were made. */
  unanswered = 0;

  add(transaction: SentTransaction): SentTransaction {
    this.all.push(transaction);
    return transaction;
  }

  get acknowledged(): number {
    return this.all.filter((transaction) => transaction.acknowledged).length;
  }

  get confirmed(): number {
    return this.all.filter(({ confirmedAt }) => confirmedAt !== undefined).length;
  }

  tell(oracle: LedgerOracle): void {
    for (const { txId, from, to, acknowledged, reason } of this.all) {
      if (!acknowledged) continue;
      oracle.acknowledge(txId, { from, to });
      if (reason !== undefined) oracle.refused(txId, reason);
    }
  }
}
