import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type Hash } from '@shardnode/protocol/primitives';
import { testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { type ApiClient } from '../api-client.js';
import { groups } from '../chains.js';
import { fundingTransfer, oneCoin } from '../transfers.js';
import { ContractLife, type StepCounts } from './contract-life.js';
import { ContractSender, type Sink } from './contract-sender.js';

export interface ContractLoadOptions {
  /** Senders in each group; default 2. */
  readonly sendersPerGroup?: number;
  /** Default 1. */
  readonly seed?: number;
  /** Milliseconds between two steps of a sender; default 0. */
  readonly everyMs?: number;
}

/**
 * Senders in all groups that deploy, call, migrate and destroy contracts by chance, each its own ones and all of a group a
 * common one. What they send joins the transactions of `sink`, which somebody judges at the end.
 */
export class ContractLoad {
  /** Steps that came to a confirmed end, by name. */
  readonly counts: StepCounts = new Map();
  private readonly shared = new Map<number, Hash>();
  private running: Promise<void>[] = [];
  private readonly random: () => number;

  private constructor(
    private readonly senders: readonly ContractSender[],
    private readonly sink: Sink,
    private readonly options: ContractLoadOptions,
  ) {
    this.random = seededRandom(options.seed ?? 1);
  }

  /** Gives each sender 1,000 coins in several outputs, and waits until they are there. */
  static async prepare(
    apis: readonly ApiClient[],
    funded: readonly TestKey[],
    sink: Sink,
    options: ContractLoadOptions = {},
  ): Promise<ContractLoad> {
    const perGroup = options.sendersPerGroup ?? 2;
    const keys = groups.map((group) => testKeysOfGroup(group, 140 + perGroup).slice(140));
    const attoCoinAmount = (250n * oneCoin).toString();
    await Promise.all(
      keys.map(async (own, group) => {
        const destinations = own.flatMap(({ address }) =>
          Array.from({ length: 4 }, () => ({ address, attoCoinAmount })),
        );
        await fundingTransfer(apis[0]!, funded[group]!, destinations);
      }),
    );
    return new ContractLoad(
      keys.flat().map((key) => new ContractSender(apis, key, sink)),
      sink,
      options,
    );
  }

  get acknowledged(): number {
    return this.senders.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** Steps of all names. */
  get steps(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  begin(): void {
    this.running = this.senders.map((sender) => {
      sender.resting = false;
      return this.run(sender);
    });
  }

  /** Nobody begins anything new; what was sent is brought to its end. */
  async rest(): Promise<void> {
    for (const sender of this.senders) sender.resting = true;
    await Promise.all(this.running);
  }

  /** For people: the steps, most frequent first. */
  describe(): string {
    const texts = [...this.counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`);
    return `${this.acknowledged} script transactions acknowledged (${texts.join(', ')})\n`;
  }

  private async run(sender: ContractSender): Promise<void> {
    const { group } = sender.key;
    const life = new ContractLife(sender, () => this.shared.get(group), this.random);
    try {
      const counter = await life.begin();
      if (counter !== undefined && !this.shared.has(group)) this.shared.set(group, counter);
      while (!sender.resting) {
        const step = life.next();
        if ((await step.run()) === 'confirmed') this.counts.set(step.name, (this.counts.get(step.name) ?? 0) + 1);
        await pause(this.options.everyMs ?? 0);
      }
    } catch (error) {
      this.sink.defects.push(`a sender of contracts failed: ${String(error)}`);
    }
  }
}
