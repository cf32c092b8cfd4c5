/**
 * Limits on events recorded by one run (policy, not a consensus rule: events affect no result). Only byte strings that
 * are logged repeatedly reach them; the gas limit keeps other values below them.
 */
export const eventLimits = {
  /** Sum of the estimated sizes of the logged fields, bytes. */
  eventBytes: 1 << 20,
  debugMessages: 1_000,
  /** Sum of the message lengths, bytes. */
  debugBytes: 1 << 16,
} as const;

export class EventBudget {
  private eventBytes = eventLimits.eventBytes;
  private debugMessages: number = eventLimits.debugMessages;
  private debugBytes = eventLimits.debugBytes;
  /** The first message that does not fit ends the record: later ones are not written either. */
  debugClosed = false;

  takeEvent(bytes: number): boolean {
    if (bytes > this.eventBytes) return false;
    this.eventBytes -= bytes;
    return true;
  }

  takeDebugMessage(bytes: number): boolean {
    if (this.debugClosed) return false;
    if (this.debugMessages === 0 || bytes > this.debugBytes) {
      this.debugClosed = true;
      return false;
    }
    this.debugMessages -= 1;
    this.debugBytes -= bytes;
    return true;
  }
}
