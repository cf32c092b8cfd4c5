import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';

/** Milliseconds. A heartbeat arrives each second; after a pause of this process all of them are late. */
const times = { lost: 3_000, ownPause: 1_000 };

interface Sibling {
  /** Monotonic. */
  readonly heardAt: number;
  /** Differs from start to start; absent from older versions. */
  readonly startedAt: string | undefined;
  readonly isLost: boolean;
}

/** Logs the loss and the return of a sibling: one line each. */
export class SiblingLog {
  private readonly siblings = new Map<number, Sibling>();
  private lookedAt: number;
  /** Until then this process is the cause of silence. */
  private tolerantUntil = 0;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
  ) {
    this.lookedAt = clock.monotonic();
  }

  record(sibling: number, startedAt: string | undefined): void {
    const now = this.clock.monotonic();
    const before = this.siblings.get(sibling);
    const restarted = before?.startedAt !== undefined && startedAt !== undefined && before.startedAt !== startedAt;
    if (before && (before.isLost || restarted)) {
      this.logger.info({ sibling, silentForMs: Math.round(now - before.heardAt), restarted }, 'a sibling is back');
    }
    this.siblings.set(sibling, { heardAt: now, startedAt: startedAt ?? before?.startedAt, isLost: false });
  }

  /** Call it several times a second. */
  look(): void {
    const now = this.clock.monotonic();
    if (now - this.lookedAt > times.ownPause) this.tolerantUntil = now + times.lost;
    this.lookedAt = now;
    if (now < this.tolerantUntil) return;
    for (const [sibling, known] of this.siblings) {
      const silentForMs = now - known.heardAt;
      if (known.isLost || silentForMs < times.lost) continue;
      this.siblings.set(sibling, { ...known, isLost: true });
      this.logger.warn({ sibling, silentForMs: Math.round(silentForMs) }, 'a sibling is lost: nothing is heard of it');
    }
  }
}
