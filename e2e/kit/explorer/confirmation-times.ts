import { until } from '@shardnode/testing/waiting';
import { median } from '@shardnode/testing/statistics';
import { patience } from '../patience.js';

/** Milliseconds on a quiet machine; more is a failure, less is measured and printed (protocol 08 §7.1). */
const longest = 5_000;

/** Measures how fast an explorer shows transfers. */
export class ConfirmationTimes {
  private readonly shown: number[] = [];
  private readonly confirmed: number[] = [];

  /** @param url of the explorer */
  constructor(private readonly url: string) {}

  /** To be called as soon as the network has taken the transfer. It is pending, unless its block was faster. */
  async untilShown(txId: string): Promise<void> {
    this.shown.push(await this.millisecondsUntil(txId, ['Pending', 'Accepted']));
  }

  /** To be called as soon as its block is stored. */
  async untilConfirmed(txId: string): Promise<void> {
    this.confirmed.push(await this.millisecondsUntil(txId, ['Accepted']));
  }

  /** Median and slowest, in milliseconds. */
  describe(): string {
    const summary = (times: readonly number[]): string =>
      `median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`;
    return [
      `${this.confirmed.length} transfers shown after ${summary(this.shown)}`,
      `confirmed after their blocks: ${summary(this.confirmed)}`,
    ].join('; ');
  }

  /** Milliseconds until a transaction has one of the types. */
  private async millisecondsUntil(txId: string, types: readonly string[]): Promise<number> {
    const began = performance.now();
    const isShown = async (): Promise<boolean> => {
      const answer = await fetch(`${this.url}/transactions/${txId}`);
      const { type = '' } = (await answer.json()) as { readonly type?: string };
      return types.includes(type);
    };
    await until(`transaction ${txId} is ${types.join(' or ')}`, isShown, patience(longest));
    return performance.now() - began;
  }
}
