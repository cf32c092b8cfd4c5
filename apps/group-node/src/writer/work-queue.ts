import { type ServiceError } from '@shardnode/core/errors';
import { currentContext, runInContext } from '@shardnode/core/observability';
import { queueFull } from '@shardnode/messages';

interface Waiting {
  readonly enqueuedAt: number;
  readonly run: () => Promise<void>;
  readonly fail: (error: Error) => void;
}

export interface WorkQueueOptions {
  /** The group of the tasks, for refused callers. */
  readonly group: number;
  /** Limit of pending tasks; one more is refused as `unavailable` with code `QueueFull`. */
  readonly capacity: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Called once per task: milliseconds in the queue and of the run. */
  readonly measured?: (name: string, waited: number, worked: number) => void;
  /** Runs before each task; when it rejects, the task is not run and rejects with the same. */
  readonly beforeEach?: () => Promise<void> | undefined;
  /** Yields to the event loop between two tasks. */
  readonly yieldTick: () => Promise<void>;
  /** Runs after each task, with the number of pending ones; never rejects. */
  readonly afterEach?: (waiting: number) => Promise<void> | undefined;
}

export interface TaskOptions {
  /**
   * Milliseconds: the task is refused, as above the limit, when the next pending task has waited longer already, or when
   * it has waited longer itself. For callers with a timeout: tasks whose callers have timed out would leave no time for
   * others.
   */
  readonly longestDelay?: number;
}

/** Milliseconds after which a background task runs although others are pending. */
const backgroundPatience = 1_000;

/**
 * One task at a time, in order of arrival within a lane: the single writer of a group (architecture, decision 3). Bounded,
 * measured, abortable; it yields to the event loop whenever tasks took more than a few milliseconds.
 */
export class WorkQueue {
  /** Tasks that run before all others. */
  private readonly priorityLane: Waiting[] = [];
  private readonly normalLane: Waiting[] = [];
  /** Tasks that run after all others. */
  private readonly backgroundLane: Waiting[] = [];
  private running: Promise<void> | undefined;
  private aborted: Error | undefined;
  private sinceYield = 0;

  constructor(private readonly options: WorkQueueOptions) {}

  /** Number of pending tasks, the running one not counted. */
  get length(): number {
    return this.priorityLane.length + this.normalLane.length;
  }

  /** Milliseconds that the next task of those with `run` has waited; 0 when none is pending. */
  get delay(): number {
    const [first] = this.normalLane;
    return first ? this.options.now() - first.enqueuedAt : 0;
  }

  /** Queues the task; rejects with its error, or with the reason of an abort. */
  run<Result>(
    name: string,
    task: () => Promise<Result> | Result,
    { longestDelay = Number.POSITIVE_INFINITY }: TaskOptions = {},
  ): Promise<Result> {
    if (this.aborted) return Promise.reject(this.aborted);
    if (this.normalLane.length >= this.options.capacity || this.delay > longestDelay) {
      return Promise.reject(this.full());
    }
    return this.enqueue(this.normalLane, name, task, longestDelay);
  }

  /**
   * The same, before all tasks of `run`. For blocks that others have made already: in the order of arrival, blocks that
   * build on each other would each wait for all submits, and fall ever further behind.
   */
  runFirst<Result>(name: string, task: () => Promise<Result> | Result): Promise<Result> {
    if (this.aborted) return Promise.reject(this.aborted);
    if (this.priorityLane.length >= this.options.capacity) return Promise.reject(this.full());
    return this.enqueue(this.priorityLane, name, task);
  }

  /** The same for a short task without a caller that waits: it runs when nothing else is pending, or after a second. */
  runInBackground<Result>(name: string, task: () => Promise<Result> | Result): Promise<Result> {
    if (this.aborted) return Promise.reject(this.aborted);
    return this.enqueue(this.backgroundLane, name, task);
  }

  /** The delay of the next task is the time in which the queue moved up by as many tasks as it holds. */
  private full(): ServiceError {
    return queueFull([this.options.group], this.delay);
  }

  private enqueue<Result>(
    list: Waiting[],
    name: string,
    task: () => Promise<Result> | Result,
    longestDelay = Number.POSITIVE_INFINITY,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const enqueuedAt = this.options.now();
      // The task runs in the context of the request that queued it, whoever woke the queue.
      const context = currentContext();
      const run = async (): Promise<void> => {
        const startedAt = this.options.now();
        if (startedAt - enqueuedAt > longestDelay) return reject(this.full());
        try {
          const ready = this.options.beforeEach?.();
          if (ready) await ready;
          resolve(await runInContext(context, task));
        } catch (error) {
          reject(error as Error);
        }
        const worked = this.options.now() - startedAt;
        this.sinceYield += worked;
        this.options.measured?.(name, startedAt - enqueuedAt, worked);
      };
      list.push({ enqueuedAt, run, fail: reject });
      // Not in the same tick as the caller, which may still have to record its request.
      this.running ??= Promise.resolve().then(() => this.work());
    });
  }

  /** Rejects all pending and all later tasks; resolves when the running task has ended. */
  async abort(reason: Error): Promise<void> {
    this.aborted = reason;
    for (const lane of [this.priorityLane, this.normalLane, this.backgroundLane]) {
      for (const entry of lane.splice(0)) entry.fail(reason);
    }
    await this.running;
  }

  /** Resolves when nothing is pending or running. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private next(): Waiting | undefined {
    const [first] = this.backgroundLane;
    const isDue = first && (this.length === 0 || this.options.now() - first.enqueuedAt >= backgroundPatience);
    return isDue ? this.backgroundLane.shift() : (this.priorityLane.shift() ?? this.normalLane.shift());
  }

  private async work(): Promise<void> {
    for (let next = this.next(); next; next = this.next()) {
      await next.run();
      const after = this.options.afterEach?.(this.length);
      if (after) await after;
      if (this.sinceYield > 4) {
        this.sinceYield = 0;
        await this.options.yieldTick();
      }
    }
    this.running = undefined;
  }
}
