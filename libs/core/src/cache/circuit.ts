import { type Clock } from '../lifecycle/clock.js';

export interface CircuitSettings {
  readonly clock: Clock;
  /** Failures one after the other that open it. */
  readonly failures: number;
  /** How long nobody is let through, then one at a time as a probe. */
  readonly pauseMs: number;
  /** When it opens for the first time since it was closed, and when it is closed again. */
  readonly changed: (isOpen: boolean) => void;
}

/** Keeps callers away from somebody who is slow, so that each of them does not pay for it anew. */
export class Circuit {
  private failed = 0;
  private lastFailedAt = -Infinity;
  /** On the monotonic clock; undefined while closed. */
  private openUntil: number | undefined;

  constructor(private readonly settings: CircuitSettings) {}

  /** Whether a call may be made now. While open, a call that may be made is the probe, and the next must wait for a pause. */
  mayPass(): boolean {
    if (this.openUntil === undefined) return true;
    const now = this.settings.clock.monotonic();
    if (now < this.openUntil) return false;
    this.openUntil = now + this.settings.pauseMs;
    return true;
  }

  /** A call went well, in time. */
  succeeded(): void {
    this.failed = 0;
    if (this.openUntil === undefined) return;
    this.openUntil = undefined;
    this.settings.changed(false);
  }

  /**
   * A call failed or was slow. Calls that were under way together when one failed count as one failure: a turn of the event
   * loop that took long makes all of them slow.
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
