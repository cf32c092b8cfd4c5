import { type Clock } from '../lifecycle/clock.js';

/** Default window in milliseconds: one line per key. */
const usualWindow = 60_000;
/** Senders can invent keys: further keys share one entry. */
const mostKeys = 1_000;
const anyOther = 'other keys';

interface Recent {
  readonly since: number;
  suppressed: number;
}

/**
 * Limits repeated log lines: the first line of a key, then at most one a minute (or `window` milliseconds), with the
 * number of lines suppressed since the last one.
 */
export class LogLimiter {
  private readonly recent = new Map<string, Recent>();

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly window = usualWindow,
  ) {}

  /** Calls `write` if a line of this key is due. `suppressed`: lines suppressed since its last one. */
  log(key: string, write: (suppressed: number) => void): void {
    const now = this.clock.monotonic();
    const known = this.recent.has(key) || this.recent.size < mostKeys || this.forgetOld(now) ? key : anyOther;
    const last = this.recent.get(known);
    if (last && now - last.since < this.window) {
      last.suppressed++;
      return;
    }
    this.recent.set(known, { since: now, suppressed: 0 });
    write(last?.suppressed ?? 0);
  }

  /** True when there is room again. */
  private forgetOld(now: number): boolean {
    for (const [key, { since }] of this.recent) if (now - since >= this.window) this.recent.delete(key);
    return this.recent.size < mostKeys;
  }
}
