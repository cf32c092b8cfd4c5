import { type Logger } from '@shardnode/core/observability';
import { type BackgroundJob, type JobContext, type JobStart } from '../background/background-job.js';
import { type BackgroundWork } from './background-work.js';

export interface JobRunnerOptions {
  readonly jobs: readonly BackgroundJob[];
  readonly context: JobContext;
  readonly work: BackgroundWork;
  readonly logger: Logger;
  /** Whether the index is live: no job runs before. */
  readonly isLive: () => boolean;
}

/** Runs the background jobs of a writer: when they are due, and on demand; none twice at once. */
export class JobRunner {
  private readonly busy = new Set<BackgroundJob>();

  constructor(private readonly options: JobRunnerOptions) {}

  /** Repeats every job at its own interval. */
  schedule(): void {
    const { jobs, work } = this.options;
    for (const job of jobs) work.repeat(job.everyMs, () => this.runDue(job));
  }

  /** Runs the jobs that are due, one after another. */
  async runAllDue(): Promise<void> {
    for (const job of this.options.jobs) await this.runDue(job);
  }

  /** Starts a job now, whether or not it is due. */
  start(name: string): JobStart {
    const { jobs, work } = this.options;
    const job = jobs.find((one) => one.name === name);
    if (!job || !this.mayRun) return 'impossible';
    if (this.busy.has(job)) return 'running';
    work.track(this.run(job));
    return 'started';
  }

  private get mayRun(): boolean {
    const { isLive, context } = this.options;
    return isLive() && !context.stopping.aborted;
  }

  private async runDue(job: BackgroundJob): Promise<void> {
    if (!this.mayRun) return;
    try {
      if ((await job.isDue?.(this.options.context)) === false) return;
    } catch (error) {
      return this.failed(job, error);
    }
    await this.run(job);
  }

  private async run(job: BackgroundJob): Promise<void> {
    if (!this.mayRun || this.busy.has(job)) return;
    this.busy.add(job);
    try {
      await job.run(this.options.context);
    } catch (error) {
      this.failed(job, error);
    } finally {
      this.busy.delete(job);
    }
  }

  private failed({ name }: BackgroundJob, error: unknown): void {
    const { context, logger } = this.options;
    if (context.stopping.aborted) return;
    logger.warn({ err: error, job: name }, 'job failed; next run as scheduled');
  }
}
