import { currentContext, runInContext } from '@shardnode/core/observability';
import { queueFull } from '@shardnode/messages';

interface Waiting {
  readonly enqueuedAt: number;
  readonly run: () => Promise<void>;
  readonly fail: (error: Error) => void;
}

export interface WorkQueueOptions {
  /** Whose work it is, for those who are refused. */
  readonly group: number;
  /** Tasks that may wait; one more is refused as `unavailable` with code `QueueFull`. */
  readonly capacity: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** ObserveResponse once per task: milliseconds in the queue and at work. */
  readonly measured?: (name: string, waited: number, worked: number) => void;
  /** Runs before each task; when it rejects, the task is not run and rejects with the same. */
  readonly beforeEach?: () => Promise<void> | undefined;
  /** Yields to the event loop between two tasks. */
  readonly yieldTick: () => Promise<void>;
  /** Runs after each task, with the number of those that wait; never rejects. */
  readonly afterEach?: (waiting: number) => Promise<void> | undefined;
}

export interface TaskOptions {
  /**
   * Milliseconds: the task is refused like one too many when the next one has waited longer already. For those who wait for
   * an answer: work whose asker has given up by then would leave no time for that of others.
   */
  readonly longestDelay?: number;
}

/** Milliseconds after which a task of the background has its turn although others wait. */
const backgroundPatience = 1_000;

/**
 * One task at a time, in order of arrival within a lane: the single writer of a group (architecture, decision 3). Bounded,
 * measured, abortable; it yields to the event loop whenever tasks took more than a few milliseconds.
 */
export class WorkQueue {
  /** Those that come before all others. */
  private readonly priorityLane: Waiting[] = [];
  private readonly normalLane: Waiting[] = [];
  /** Those that give way to all others. */
  private readonly backgroundLane: Waiting[] = [];
  private running: Promise<void> | undefined;
  private aborted: Error | undefined;
  private sinceYield = 0;

  constructor(private readonly options: WorkQueueOptions) {}

  /** Tasks that wait, the running one not counted. */
  get length(): number {
    return this.priorityLane.length + this.normalLane.length;
  }

  /** Milliseconds for which the task that is next of those with `run` has waited; 0 when none waits. */
  get delay(): number {
    const [first] = this.normalLane;
    return first ? this.options.now() - first.enqueuedAt : 0;
  }

  /** Runs the task when its turn comes; rejects with what it throws, or with the reason of an abort. */
  run<Result>(
    name: string,
    task: () => Promise<Result> | Result,
    { longestDelay = Number.POSITIVE_INFINITY }: TaskOptions = {},
  ): Promise<Result> {
    if (this.aborted) return Promise.reject(this.aborted);
    if (this.normalLane.length >= this.options.capacity || this.delay > longestDelay) {
      return Promise.reject(queueFull(this.options.group));
    }
    return this.enqueue(this.normalLane, name, task);
  }

  /**
   * The same before all that waits its turn with `run`. For what others have done already and is due here: in the order of
   * arrival, blocks that build on each other would wait for all submits again and again, and fall ever further behind.
   */
  runFirst<Result>(name: string, task: () => Promise<Result> | Result): Promise<Result> {
    if (this.aborted) return Promise.reject(this.aborted);
    if (this.priorityLane.length >= this.options.capacity) return Promise.reject(queueFull(this.options.group));
    return this.enqueue(this.priorityLane, name, task);
  }

  /** The same for a short task that nobody waits for: its turn comes when nothing else waits, or after a second. */
  runInBackground<Result>(name: string, task: () => Promise<Result> | Result): Promise<Result> {
    if (this.aborted) return Promise.reject(this.aborted);
    return this.enqueue(this.backgroundLane, name, task);
  }

  private enqueue<Result>(list: Waiting[], name: string, task: () => Promise<Result> | Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const enqueuedAt = this.options.now();
      // The task belongs to the request that wants it, whoever woke the queue.
      const context = currentContext();
      const run = async (): Promise<void> => {
        const startedAt = this.options.now();
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
      // Not in the turn of the caller, who may still have to note what it has just asked for.
      this.running ??= Promise.resolve().then(() => this.work());
    });
  }

  /** Refuses everything that waits and everything that comes; resolves when the running task has ended. */
  async abort(reason: Error): Promise<void> {
    this.aborted = reason;
    for (const lane of [this.priorityLane, this.normalLane, this.backgroundLane]) {
      for (const entry of lane.splice(0)) entry.fail(reason);
    }
    await this.running;
  }

  /** Resolves when nothing waits and nothing runs. */
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
