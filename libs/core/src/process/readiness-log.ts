import { type ReadinessReport } from '../http-server/index.js';
import { type Logger } from '../observability/index.js';

type Readiness = Pick<ReadinessReport, 'ready' | 'reasons'>;

/** Of a started service. */
export interface HealthSource {
  health(): Promise<Readiness>;
}

/** Milliseconds. A change of reasons is logged at most once per `sameState`. */
const times = { look: 1_000, lookWhileNotReady: 200, patience: 1_000, sameState: 30_000 };

const noAnswer: Readiness = { ready: false, reasons: ['its own checks take more than a second'] };

/** Current readiness as in `/health/ready`, within a second. Never rejects. */
export const readinessNow = async (service: HealthSource): Promise<Readiness> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Readiness>((resolve) => {
    timer = setTimeout(() => resolve(noAnswer), times.patience);
  });
  try {
    return await Promise.race([service.health(), late]);
  } catch {
    return { ready: false, reasons: ['its own checks failed'] };
  } finally {
    clearTimeout(timer);
  }
};

/** Logs when a service becomes ready or not ready, and why. */
export class ReadinessLog {
  private state: { readonly isReady: boolean; readonly reasons: string; readonly since: number } | undefined;
  private loggedAt = 0;

  constructor(private readonly logger: Logger) {}

  /** `now`: monotonic milliseconds. */
  heard({ ready, reasons }: Readiness, now: number): void {
    const before = this.state;
    const text = reasons.join('; ');
    if (before?.isReady === ready) {
      if (ready || before.reasons === text || now - this.loggedAt < times.sameState) return;
      this.logger.warn({ reasons, forMs: Math.round(now - before.since) }, 'still not ready');
    } else if (ready) {
      this.logger.info(before ? { afterMs: Math.round(now - before.since) } : {}, 'ready');
    } else if (before) this.logger.warn({ reasons }, 'not ready any more');
    else this.logger.info({ reasons }, 'not ready yet');
    this.loggedAt = now;
    this.state = { isReady: ready, reasons: text, since: before?.isReady === ready ? before.since : now };
  }
}

/** Checks each second until it is stopped, more often while the service is not ready. */
export const followReadiness = (service: HealthSource, logger: Logger): { stop(): void } => {
  const log = new ReadinessLog(logger);
  let stopped = false;
  const look = async (): Promise<void> => {
    const report = await readinessNow(service);
    if (stopped) return;
    log.heard(report, performance.now());
    setTimeout(() => void look(), report.ready ? times.look : times.lookWhileNotReady).unref();
  };
  void look();
  return { stop: () => void (stopped = true) };
};
