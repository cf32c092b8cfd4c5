import { ServiceError } from '../errors/index.js';
import { type Clock, systemClock } from '../lifecycle/clock.js';

/** Something that keeps a service from being ready. */
export interface Problem {
  /** A clause for people: `it waits for group 3`. */
  readonly reason: string;
  /** A sentence: what to do about it. */
  readonly action?: string;
  /** Milliseconds for which it has been so, where the check knows; default: since somebody first asked and got this answer. */
  readonly forMs?: number;
  /** What else is known, for machines: `{ group: 2, blocksBehind: 12 }`. */
  readonly data?: Readonly<Record<string, string | number>>;
}

type Found = string | Problem | undefined;

/** Part of what "ready" means. */
export interface ReadinessCheck {
  /** `database`, `caught up`. */
  readonly name: string;
  /** What to do where its answer does not say. */
  readonly action?: string;
  /** Why it is not ready, for people; undefined when it is. A throw counts as not ready. */
  notReadyBecause(): Found | Promise<Found>;
}

/** A problem as `/health/ready` tells it. */
export interface ReportedProblem {
  readonly [field: string]: string | number | undefined;
  readonly check: string;
  readonly reason: string;
  readonly action?: string;
  /** Time of the wall clock, ISO 8601, and how many seconds ago that was. */
  readonly since: string;
  readonly seconds: number;
}

export interface ReadinessReport {
  readonly ready: boolean;
  /** `synced: it waits for group 3`, one for each problem. */
  readonly reasons: readonly string[];
  readonly problems: readonly ReportedProblem[];
}

const problemOf = async (check: ReadinessCheck): Promise<Problem | undefined> => {
  try {
    const found = await check.notReadyBecause();
    return typeof found === 'string' ? { reason: found } : found;
  } catch (error) {
    return { reason: error instanceof ServiceError ? error.detail : 'the check failed' };
  }
};

/** What keeps a service from being ready, and since when. A check that fails for another reason than before goes on failing. */
export class Readiness {
  /** By the name of the check: moments of the monotonic clock. */
  private readonly failingSince = new Map<string, number>();

  constructor(
    private readonly checks: readonly ReadinessCheck[],
    private readonly clock: Pick<Clock, 'now' | 'monotonic'> = systemClock,
  ) {}

  get names(): readonly string[] {
    return this.checks.map(({ name }) => name);
  }

  /** Asks all checks now. Never rejects. */
  async report(): Promise<ReadinessReport> {
    const found = await Promise.all(this.checks.map(async (check) => this.note(check, await problemOf(check))));
    const problems = found.filter((problem) => problem !== undefined);
    const reasons = problems.map(({ check, reason }) => `${check}: ${reason}`);
    return { ready: problems.length === 0, reasons, problems };
  }

  private note(check: ReadinessCheck, problem: Problem | undefined): ReportedProblem | undefined {
    const { name } = check;
    if (problem === undefined) {
      this.failingSince.delete(name);
      return undefined;
    }
    const now = this.clock.monotonic();
    const noticed = this.failingSince.get(name) ?? now;
    this.failingSince.set(name, noticed);
    const { reason, action = check.action, data, forMs = now - noticed } = problem;
    return {
      ...data,
      check: name,
      reason,
      ...(action === undefined ? {} : { action }),
      since: new Date(this.clock.now() - forMs).toISOString(),
      seconds: Math.round(forMs) / 1000,
    };
  }
}
