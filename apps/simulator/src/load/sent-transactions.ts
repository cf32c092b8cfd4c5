import { type LedgerOracle } from '@shardnode/testing/ledger-oracle';

/** A sent transaction and its known state. Times in virtual milliseconds. */
export interface SentTransaction {
  readonly txId: string;
  readonly from: number;
  readonly to: number;
  readonly sentAt: number;
  /** A node has accepted it: from then on it must never be lost. */
  acknowledged: boolean;
  /** Seen in a canonical block. */
  confirmedAt?: number;
  blockHash?: string;
  /** The reason why it left the pool, if it did. */
  reason?: string;
}

/** Transactions sent by the load, and defects that no careful sender may meet. */
export class SentTransactions {
  readonly all: SentTransaction[] = [];
  readonly defects: string[] = [];
  /** Double spends with one of the two refused at once. */
  refused = 0;
  /** Transfers of wallets with an unknown result. */
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
