import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '@shardnode/testing/statistics';
import { type ChainedSender } from './chained-senders.js';
import { type FaultLoad, groupWithNumber } from './fault-load.js';
import { type SubmitAnswer, SubmitConnections } from './submit-connections.js';

/** What came of submits that were offered for a while. */
export interface Offered {
  readonly seconds: number;
  /** Submits a second that were sent, of them those acknowledged. */
  readonly sent: number;
  readonly accepted: number;
  /** Transactions a second that went into blocks: what was acknowledged, less what the pools hold more than before. */
  readonly confirmed: number;
  /** By status and name of the error: `503 QueueFull`. */
  readonly answers: ReadonlyMap<string, number>;
  /** Milliseconds until an acknowledgement: median, 99 %. */
  readonly median: number;
  readonly p99: number;
  /** Milliseconds until a refusal: the same. */
  readonly refusedMedian: number;
  readonly refusedP99: number;
  /** Seconds of processor time that this process has taken each second. */
  readonly ownCores: number;
}

const nameOf = (answer: SubmitAnswer): string =>
  answer.status === 200 ? '200' : `${answer.status} ${answer.header('x-error-code') ?? ''}`.trim();

/** Milliseconds: what is due is offered together, which costs less than one after the other. */
const betweenOffers = 20;

/** Milliseconds that a sender of the closed loop waits after a refusal. */
const afterRefusal = 100;

/** Submits of chained senders; what is acknowledged joins the transactions of the load, which the end of the scenario judges. */
export class OfferedLoad {
  private answers = new Map<string, number>();
  private durations: number[] = [];
  private refusedAfter: number[] = [];
  private sent = 0;
  private underWay = 0;
  /** What each sender sends until it is acknowledged. */
  private readonly requests = new Map<ChainedSender, string>();
  private turn = 0;
  private readonly connections: SubmitConnections;

  /** `pending`: how many transactions the pools hold now. */
  constructor(
    baseUrl: string,
    private readonly senders: readonly ChainedSender[],
    private readonly load: FaultLoad,
    private readonly pending: () => Promise<number>,
  ) {
    this.connections = new SubmitConnections(baseUrl, '/transactions/submit');
  }

  close(): void {
    this.connections.close();
  }

  /**
   * Signs for as many transactions as will be accepted, and opens a connection for each sender, so that offering them costs this
   * process next to nothing.
   */
  async prepare(transactions: number): Promise<void> {
    for (const sender of this.senders) {
      sender.signAhead(Math.ceil(transactions / this.senders.length));
      // All connections of the services lead through this process, and must not be silent for the seconds that this takes.
      await pause(0);
    }
    // After that: a gateway closes those that nobody has used for a minute.
    await this.connections.prepare(this.senders.length);
  }

  /**
   * So many submits under way at a time, the next one as soon as there is an answer to the last one: what can be had. All
   * senders take turns, as in the open loop: a transaction that spends what the pool holds costs less than one that spends
   * what a block has made, and fewer senders would have more of the former.
   */
  closedLoop(busy: number, seconds: number): Promise<Offered> {
    return this.measure(async (began) => {
      const until = began + 1_000 * seconds;
      const run = async (): Promise<void> => {
        while (performance.now() < until) {
          const sender = this.nextSender();
          if (!sender || !(await this.isTaken(sender))) await pause(afterRefusal);
        }
      };
      await Promise.all(Array.from({ length: busy }, run));
    });
  }

  /** So many submits a second, whatever the answers are; fewer only while all senders wait for theirs. */
  async openLoop(rate: number, seconds: number): Promise<Offered> {
    const offered = await this.measure(async (began) => {
      let due = 0;
      for (let now = began; now < began + 1_000 * seconds; now = performance.now()) {
        for (const until = (rate * (now - began)) / 1_000; due < until; due++) this.offerOne();
        await pause(betweenOffers);
      }
    });
    while (this.underWay > 0) await pause(betweenOffers);
    return offered;
  }

  /** Sends what nobody has answered or everybody refused again, until it is acknowledged. */
  async drain(): Promise<void> {
    const open = [...this.requests.keys()];
    await Promise.all(
      open.map(async (sender) => {
        for (const { current } = sender; !current.acknowledged;) {
          if (!(await this.isTaken(sender))) await pause(2 * afterRefusal);
        }
      }),
    );
  }

  private async measure(run: (began: number) => Promise<void>): Promise<Offered> {
    this.answers = new Map();
    this.durations = [];
    this.refusedAfter = [];
    this.sent = 0;
    const before = await this.pending();
    const processor = process.cpuUsage();
    const began = performance.now();
    await run(began);
    const { durations, refusedAfter, answers, sent } = this;
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(processor);
    const accepted = durations.length;
    return {
      seconds,
      sent: sent / seconds,
      accepted: accepted / seconds,
      confirmed: (accepted - (await this.pending()) + before) / seconds,
      answers: new Map(answers),
      median: percentile(durations, 50),
      p99: percentile(durations, 99),
      refusedMedian: percentile(refusedAfter, 50),
      refusedP99: percentile(refusedAfter, 99),
      ownCores: (user + system) / 1e6 / seconds,
    };
  }

  private offerOne(): void {
    const sender = this.nextSender();
    if (!sender) return;
    this.underWay += 1;
    this.submit(sender, () => {
      this.underWay -= 1;
    });
  }

  /** The next one in turn that does not wait for an answer; undefined: all do. */
  private nextSender(): ChainedSender | undefined {
    for (let tried = 0; tried < this.senders.length; tried++) {
      const sender = this.senders[this.turn++ % this.senders.length]!;
      if (!sender.isWaiting) return sender;
    }
    return undefined;
  }

  private isTaken(sender: ChainedSender): Promise<boolean> {
    return new Promise((resolve) => this.submit(sender, resolve));
  }

  /** `answered`: told whether it was acknowledged. */
  private submit(sender: ChainedSender, answered: (isAcknowledged: boolean) => void): void {
    sender.isWaiting = true;
    this.sent += 1;
    const at = performance.now();
    this.connections.send(this.requests.get(sender) ?? this.firstRequestOf(sender), (answer) => {
      sender.isWaiting = false;
      this.note(answer);
      const isAcknowledged = answer?.status === 200;
      (isAcknowledged ? this.durations : this.refusedAfter).push(performance.now() - at);
      if (isAcknowledged) {
        sender.acknowledged();
        this.requests.delete(sender);
      }
      answered(isAcknowledged);
    });
  }

  /** From now on it may be in a block although nobody has said so. */
  private firstRequestOf(sender: ChainedSender): string {
    const { current } = sender;
    this.load.transactions.push(current);
    const request = this.connections.requestOf(
      `{"unsignedTx":"${current.unsignedTx}","signature":"${current.signature}"}`,
    );
    this.requests.set(sender, request);
    return request;
  }

  private note(answer: SubmitAnswer | undefined): void {
    const name = answer ? nameOf(answer) : 'connection broke';
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    const { defects } = this.load;
    if (!answer) return void defects.push('submit: the connection broke');
    const { status, text } = answer;
    if (status === 200) return;
    if (![429, 503].includes(status)) defects.push(`submit: ${status} ${text}`);
    if (status === 503 && !groupWithNumber.test(text)) defects.push(`503 without a group: ${text}`);
    const mustWait = status === 429 || answer.header('x-error-code') === 'QueueFull';
    if (mustWait && answer.header('retry-after') === undefined) defects.push(`${status} without Retry-After: ${text}`);
  }
}

/** Lines for people. */
export const describeOffered = (title: string, offered: Offered): string => {
  const { sent, accepted, confirmed, answers, median, p99, refusedMedian, refusedP99, seconds, ownCores } = offered;
  const texts = [...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${name}: ${count}`);
  return [
    `${title}: ${seconds.toFixed(0)} s, a second ${sent.toFixed(0)} submits, ${accepted.toFixed(0)} acknowledged,`,
    `${confirmed.toFixed(0)} into blocks; acknowledged after ${median.toFixed(0)} ms (median), ${p99.toFixed(0)} ms (99 %),`,
    `refused after ${refusedMedian.toFixed(0)} and ${refusedP99.toFixed(0)} ms;`,
    `offering took ${(100 * ownCores).toFixed(0)} % of a core; ${texts.join(', ')}\n`,
  ].join(' ');
};
