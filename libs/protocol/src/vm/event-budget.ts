/**
 * What one run may record of events (policy, not law: events decide nothing). Only byte strings that are logged again
 * and again reach these bounds; what gas pays for in other values stays below them.
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
  /** The first message that does not fit closes the record: what follows is not written either. */
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
