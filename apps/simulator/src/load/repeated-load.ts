import { type ServiceError } from '@shardnode/core/errors';
import { type VirtualTime } from '../virtual-time/index.js';
import { isRefusal, textOf } from './careful-client.js';
import { type SentTransactions } from './sent-transactions.js';

/** Parts that every load shares. */
export interface LoadParts {
  readonly sent: SentTransactions;
  readonly time: VirtualTime;
  /** Of this part alone. */
  readonly random: () => number;
}

/** An actor that does one action after the other, until its rest. */
export abstract class RepeatedLoad {
  private resting = false;

  constructor(
    protected readonly parts: LoadParts,
    /** Bound of the virtual milliseconds between two actions. */
    private readonly longestPause: number,
  ) {}

  /** Prepares the first action; default: nothing. */
  protected async prepare(): Promise<void> {
    // Most loads need nothing.
  }

  protected abstract act(): Promise<void>;

  /** Starts no further action. */
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

  /** Undefined after a failure, which is a defect unless it is an allowed refusal. */
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

  /** A random item. */
  protected oneOf<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.parts.random() * items.length)]!;
  }
}
