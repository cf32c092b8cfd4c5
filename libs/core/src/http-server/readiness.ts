import { ServiceError } from '../errors/index.js';
import { type Clock, systemClock } from '../lifecycle/clock.js';

/** A reason why a service is not ready. */
export interface Problem {
  /** A clause for people: `it waits for group 3`. */
  readonly reason: string;
  /** A sentence: the remedy. */
  readonly action?: string;
  /** Milliseconds for which the problem exists, if the check knows; default: since the first report of it. */
  readonly forMs?: number;
  /** Further data for programs: `{ group: 2, blocksBehind: 12 }`. */
  readonly data?: Readonly<Record<string, string | number>>;
}

type Found = string | Problem | undefined;

/** Part of what "ready" means. */
export interface ReadinessCheck {
  /** `database`, `caught up`. */
  readonly name: string;
  /** Default remedy, if its result has none. */
  readonly action?: string;
  /** The reason why it is not ready, for people; undefined if ready. A throw counts as not ready. */
  notReadyBecause(): Found | Promise<Found>;
}

/** A problem as `/health/ready` shows it. */
export interface ReportedProblem {
  readonly [field: string]: string | number | undefined;
  readonly check: string;
  readonly reason: string;
  readonly action?: string;
  /** Wall-clock time (ISO 8601), and the seconds since then. */
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

/** Readiness of a service, and the time since each check has failed. A new reason does not restart that time. */
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

  /** Runs all checks now. Never rejects. */
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
