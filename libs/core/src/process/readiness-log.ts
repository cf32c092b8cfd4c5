import { type ReadinessReport } from '../http-server/index.js';
import { type Clock, systemClock } from '../lifecycle/index.js';
import { LogLimiter, type Logger } from '../observability/index.js';

type Readiness = Pick<ReadinessReport, 'ready' | 'reasons'>;

/** Of a started service. */
export interface HealthSource {
  health(): Promise<Readiness>;
}

/** Milliseconds. `patience`: for the first look of a start, and for the others: a busy moment is no outage. */
const times = { look: 1_000, lookWhileNotReady: 200, patience: { first: 1_000, later: 10_000 } };

const noAnswer = (patience: number): Readiness => ({
  ready: false,
  reasons: [`its own checks take more than ${patience / 1000} s`],
});

/** Current readiness as in `/health/ready`, within `patience` milliseconds. Never rejects. */
export const readinessNow = async (service: HealthSource, patience = times.patience.first): Promise<Readiness> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Readiness>((resolve) => {
    timer = setTimeout(() => resolve(noAnswer(patience)), patience);
  });
  try {
    return await Promise.race([service.health(), late]);
  } catch {
    return { ready: false, reasons: ['its own checks failed'] };
  } finally {
    clearTimeout(timer);
  }
};

interface Outage {
  /** Monotonic milliseconds. */
  readonly since: number;
  /** Reasons in its last line; undefined: it has no line yet. */
  logged?: readonly string[];
}

/** Reasons that differ only in their numbers are of one kind. */
const kindOf = (reasons: readonly string[]): string => reasons.join('; ').replaceAll(/\d+/g, '#');

/**
 * Logs when a service becomes ready or not ready, and why. However often it changes, each set of reasons has a line a
 * minute; `unlogged` counts the outages that ended without one.
 */
export class ReadinessLog {
  private readonly rarely: LogLimiter;
  private isBegun = false;
  private outage: Outage | undefined;
  private unlogged = 0;

  constructor(
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {
    this.rarely = new LogLimiter(clock);
  }

  heard({ ready, reasons }: Readiness): void {
    if (ready) this.heardReady();
    else this.heardNotReady(reasons);
    this.isBegun = true;
  }

  private heardReady(): void {
    const { outage } = this;
    this.outage = undefined;
    if (!outage) {
      if (!this.isBegun) this.logger.info('ready');
    } else if (outage.logged) {
      this.logger.info({ over: outage.logged, afterMs: this.lengthOf(outage) }, 'ready');
    } else this.unlogged++;
  }

  private heardNotReady(reasons: readonly string[]): void {
    const outage = (this.outage ??= { since: this.clock.monotonic() });
    const kind = kindOf(reasons);
    if (outage.logged && kindOf(outage.logged) === kind) return;
    this.rarely.log(kind, () => {
      this.write(outage, reasons);
      outage.logged = reasons;
    });
  }

  private write(outage: Outage, reasons: readonly string[]): void {
    if (!this.isBegun) return this.logger.info({ reasons }, 'not ready yet');
    const forMs = this.lengthOf(outage);
    if (outage.logged) return this.logger.warn({ reasons, forMs }, 'still not ready');
    this.logger.warn({ reasons, forMs, unlogged: this.unlogged }, 'not ready any more');
    this.unlogged = 0;
  }

  private lengthOf({ since }: Outage): number {
    return Math.round(this.clock.monotonic() - since);
  }
}

/** Checks each second until it is stopped, more often while the service is not ready. */
export const followReadiness = (service: HealthSource, logger: Logger): { stop(): void } => {
  const log = new ReadinessLog(logger, systemClock);
  let stopped = false;
  const look = async (): Promise<void> => {
    const report = await readinessNow(service, times.patience.later);
    if (stopped) return;
    log.heard(report);
    setTimeout(() => void look(), report.ready ? times.look : times.lookWhileNotReady).unref();
  };
  void look();
  return { stop: () => void (stopped = true) };
};
