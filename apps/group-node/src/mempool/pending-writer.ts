import { type GroupStore, type PendingTransaction } from '../store/index.js';

/** Stores accepted transactions; those that arrive while a statement runs share the next one. */
export class PendingWriter {
  private waiting: {
    readonly row: PendingTransaction;
    readonly resolve: () => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  private running: Promise<void> | undefined;

  constructor(private readonly store: Pick<GroupStore, 'changePool'>) {}

  /** Resolves when the transaction is durable. */
  add(row: PendingTransaction): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ row, resolve, reject });
      this.running ??= this.work();
    });
  }

  /** Resolves when no transaction is pending. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, 500);
      try {
        await this.store.changePool({ added: batch.map(({ row }) => row) });
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error as Error);
      }
    }
    this.running = undefined;
  }
}
