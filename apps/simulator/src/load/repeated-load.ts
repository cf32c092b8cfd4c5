import { type ServiceError } from '@shardnode/core/errors';
import { type VirtualTime } from '../virtual-time/index.js';
import { isRefusal, textOf } from './careful-client.js';
import { type SentTransactions } from './sent-transactions.js';

/** What every part of a load has. */
export interface LoadParts {
  readonly sent: SentTransactions;
  readonly time: VirtualTime;
  /** Of this part alone. */
  readonly random: () => number;
}

/** Somebody who does one thing after the other, until told to rest. */
export abstract class RepeatedLoad {
  private resting = false;

  constructor(
    protected readonly parts: LoadParts,
    /** Virtual milliseconds between two things, at most. */
    private readonly longestPause: number,
  ) {}

  /** What must be there before the first thing; default: nothing. */
  protected async prepare(): Promise<void> {
    // Most need nothing.
  }

  protected abstract act(): Promise<void>;

  /** Nothing new is begun. */
  rest(): void {
    this.resting = true;
  }

  async run(): Promise<void> {
    await this.prepare();
    while (!this.resting) {
      await this.parts.time.sleep(this.parts.random() * this.longestPause);
      await this.act();
    }
  }

  /** Undefined where it fails, which is a defect unless it is a refusal that may be. */
  protected async tried<Result>(
    what: string,
    run: () => Promise<Result>,
    mayRefuse: (error: ServiceError) => boolean,
  ): Promise<Result | undefined> {
    try {
      return await run();
    } catch (error) {
      if (!isRefusal(error) || !mayRefuse(error)) this.parts.sent.defects.push(`${what}: ${textOf(error)}`);
      return undefined;
    }
  }

  /** One of them, by chance. */
  protected oneOf<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.parts.random() * items.length)]!;
  }
}
