import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type ApiClient } from '../api-client.js';
import { type ChainedSender } from './chained-senders.js';
import { type FaultLoad } from './fault-load.js';
import { percentile } from './timed-transfers.js';

/** What came of submits that were offered for a while. */
export interface Offered {
  readonly seconds: number;
  /** Submits a second that were sent, of them those acknowledged. */
  readonly sent: number;
  readonly accepted: number;
  /** By status and name of the error: `503 QueueFull`. */
  readonly answers: ReadonlyMap<string, number>;
  /** Milliseconds until an acknowledgement: median, 99 %. */
  readonly median: number;
  readonly p99: number;
}

const nameOf = ({ status, headers }: Answer): string =>
  status === 200 ? '200' : `${status} ${String(headers['x-error-code'] ?? '')}`.trim();

/** Submits of chained senders; what is acknowledged joins the transactions of the load, which the end of the scenario judges. */
export class OfferedLoad {
  private answers = new Map<string, number>();
  private durations: number[] = [];
  private sent = 0;
  private underWay = new Set<Promise<void>>();
  private turn = 0;
  /** Ids of all that were sent at least once. */
  private readonly known = new Set<string>();

  constructor(
    private readonly api: ApiClient,
    private readonly senders: readonly ChainedSender[],
    private readonly load: FaultLoad,
  ) {}

  /** So many senders, each with its next submit as soon as there is an answer to the last one: what can be had. */
  async closedLoop(clients: number, seconds: number): Promise<Offered> {
    const began = this.begin();
    const until = began + 1_000 * seconds;
    const run = async (sender: ChainedSender): Promise<void> => {
      while (performance.now() < until) await this.submit(sender);
    };
    await Promise.all(this.senders.slice(0, clients).map(run));
    return this.result(began);
  }

  /** So many submits a second, whatever the answers are; fewer only while all senders wait for theirs. */
  async openLoop(rate: number, seconds: number): Promise<Offered> {
    const began = this.begin();
    let offered = 0;
    for (let now = began; now < began + 1_000 * seconds; now = performance.now()) {
      for (const due = (rate * (now - began)) / 1_000; offered < due; offered++) this.offerOne();
      await pause(5);
    }
    const result = this.result(began);
    await Promise.all(this.underWay);
    return result;
  }

  /** Sends what nobody has answered or everybody refused again, until it is acknowledged. */
  async drain(): Promise<void> {
    const open = this.senders.filter(({ current }) => this.known.has(current.txId));
    await Promise.all(
      open.map(async (sender) => {
        for (const { current } = sender; !current.acknowledged; await pause(200)) await this.submit(sender);
      }),
    );
  }

  private begin(): number {
    this.answers = new Map();
    this.durations = [];
    this.sent = 0;
    return performance.now();
  }

  private offerOne(): void {
    for (let tried = 0; tried < this.senders.length; tried++) {
      const sender = this.senders[this.turn++ % this.senders.length]!;
      if (sender.isWaiting) continue;
      const work: Promise<void> = this.submit(sender).finally(() => this.underWay.delete(work));
      this.underWay.add(work);
      return;
    }
  }

  private async submit(sender: ChainedSender): Promise<void> {
    const { current } = sender;
    const { unsignedTx, signature } = current;
    // Sent once, it may be in a block although nobody has said so.
    if (!this.known.has(current.txId)) {
      this.known.add(current.txId);
      this.load.transactions.push(current);
    }
    sender.isWaiting = true;
    this.sent += 1;
    const at = performance.now();
    const answer = await this.api
      .send('POST', '/transactions/submit', { body: { unsignedTx, signature } })
      .catch(() => undefined);
    sender.isWaiting = false;
    this.note(answer);
    if (answer?.status !== 200) return;
    this.durations.push(performance.now() - at);
    sender.acknowledged();
  }

  private note(answer: Answer | undefined): void {
    const name = answer ? nameOf(answer) : 'connection broke';
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    const { defects } = this.load;
    if (!answer) return void defects.push('submit: the connection broke');
    const { status, text, headers } = answer;
    if (![200, 429, 503].includes(status)) defects.push(`submit: ${status} ${text}`);
    if (status === 503 && !/group(?:-node)?[ -]\d/i.test(text)) defects.push(`503 without a group: ${text}`);
    const mustWait = status === 429 || headers['x-error-code'] === 'QueueFull';
    if (mustWait && headers['retry-after'] === undefined) defects.push(`${status} without Retry-After: ${text}`);
  }

  private result(began: number): Offered {
    const seconds = (performance.now() - began) / 1_000;
    const { durations, answers, sent } = this;
    return {
      seconds,
      sent: sent / seconds,
      accepted: durations.length / seconds,
      answers: new Map(answers),
      median: percentile(durations, 50),
      p99: percentile(durations, 99),
    };
  }
}

/** A line for people. */
export const describeOffered = (title: string, { sent, accepted, answers, median, p99, seconds }: Offered): string => {
  const texts = [...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${name}: ${count}`);
  const times = `acknowledged after ${median.toFixed(0)} ms (median), ${p99.toFixed(0)} ms (99 %)`;
  return `${title}: ${seconds.toFixed(0)} s, ${sent.toFixed(0)} submits/s, ${accepted.toFixed(0)} accepted/s, ${times}; ${texts.join(', ')}\n`;
};
