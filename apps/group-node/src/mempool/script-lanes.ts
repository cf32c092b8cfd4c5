import { RecentMap } from '@shardnode/core/eviction';
import { type Clock } from '@shardnode/core/lifecycle';
import { FairLane } from './fair-lane.js';

/** Origin of a script. */
export interface ScriptSource {
  /** Name of the client; empty when unknown. */
  readonly client: string;
  /** References of the outputs that its transaction spends. */
  readonly inputs: readonly string[];
}

/**
 * `fresh`: sources without a failure. A failed script leaves the other tasks of the process as much time as it took.
 * `failing`: the others, with a tenth of the time for all of them. Their number is half of the smallest window of
 * submits of a gateway, which transfers share.
 */
const limits = {
  fresh: { maxWaiting: 1_024, maxWaitMs: 2_000, rest: 1 },
  failing: { maxWaiting: 64, maxWaitMs: 2_000, rest: 9 },
};

/** Milliseconds after its last failure for which a source counts as failing. */
const failingMs = 30_000;
/** Clients and outputs with a failure. */
const mostFailing = 20_000;

/**
 * Orders the first runs of submitted scripts, outside the writer's queue. A failed script pays no fee, so that its
 * sender could repeat it without end: runs are shared by clients, and sources that have failed share a small part of the
 * time. A source is known by its client and by its outputs, because clients have many addresses. None is refused for a
 * failure alone: a repaired script runs next.
 */
export class ScriptLanes {
  private readonly fresh: FairLane;
  private readonly failing: FairLane;
  /** Milliseconds, monotonic, until which a client or an output counts as failing. */
  private readonly failingUntil = new RecentMap<string, number>(mostFailing);

  constructor(private readonly clock: Pick<Clock, 'monotonic' | 'after'>) {
    this.fresh = new FairLane(limits.fresh, clock);
    this.failing = new FairLane(limits.failing, clock);
  }

  /** Runs the task. Rejects with its error, with `TooManyRuns`, or with the reason of an abort. */
  async run<Result>(source: ScriptSource, task: () => Promise<Result>): Promise<Result> {
    if (!this.isFailing(source)) {
      // The source may fail while it waits, with another script.
      const runUnlessFailed = async () => (this.isFailing(source) ? undefined : { result: await task() });
      const done = await this.fresh.run(source.client, runUnlessFailed);
      if (done) return done.result;
    }
    return this.failing.run(source.client, task);
  }

  /** A script of the source ran so many milliseconds for nothing. */
  failed(source: ScriptSource, milliseconds: number): void {
    (this.isFailing(source) ? this.failing : this.fresh).rest(milliseconds);
    const until = this.clock.monotonic() + failingMs;
    for (const name of namesOf(source)) this.failingUntil.set(name, until);
  }

  /** Rejects all pending and all later tasks. */
  abort(reason: Error): void {
    this.fresh.abort(reason);
    this.failing.abort(reason);
  }

  private isFailing(source: ScriptSource): boolean {
    const now = this.clock.monotonic();
    return namesOf(source).some((name) => (this.failingUntil.get(name) ?? 0) > now);
  }
}

const namesOf = ({ client, inputs }: ScriptSource): readonly string[] => [`client ${client}`, ...inputs];
