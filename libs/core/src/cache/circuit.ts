import { type Clock } from '../lifecycle/clock.js';

export interface CircuitSettings {
  readonly clock: Clock;
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** Milliseconds for which no call passes; then one at a time as a probe. */
  readonly pauseMs: number;
  /** Called when it opens for the first time since it was closed, and when it closes again. */
  readonly changed: (isOpen: boolean) => void;
}

/** A circuit breaker: stops calls to a slow server, so that not every caller waits for it. */
export class Circuit {
  private failed = 0;
  private lastFailedAt = -Infinity;
  /** On the monotonic clock; undefined while closed. */
  private openUntil: number | undefined;

  constructor(private readonly settings: CircuitSettings) {}

  /** Whether a call may be made now. While open, a permitted call is the probe, and the next one waits for a pause. */
  mayPass(): boolean {
    if (this.openUntil === undefined) return true;
    const now = this.settings.clock.monotonic();
    if (now < this.openUntil) return false;
    this.openUntil = now + this.settings.pauseMs;
    return true;
  }

  /** A call succeeded in time. */
  succeeded(): void {
    this.failed = 0;
    if (this.openUntil === undefined) return;
    this.openUntil = undefined;
    this.settings.changed(false);
  }

  /**
   * A call failed or was slow. Calls that were in flight when one failed count as one failure, because one long
   * event-loop tick makes all of them slow.
   * @param startedAt of the call, on the monotonic clock
   */
  failedOnce(startedAt: number): void {
    if (startedAt < this.lastFailedAt) return;
    this.lastFailedAt = this.settings.clock.monotonic();
    this.failed++;
    if (this.failed < this.settings.failures) return;
    const wasOpen = this.openUntil !== undefined;
    this.openUntil = this.settings.clock.monotonic() + this.settings.pauseMs;
    if (!wasOpen) this.settings.changed(true);
  }
}
