import { Injectable } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { Clock } from '@shardnode/core/lifecycle';
import { errorOf } from '@shardnode/http';
import { GroupClient, type NodeStatusReply } from '@shardnode/messages';

/** How long a good answer is believed (protocol 07 §1.13: the value is refreshed every 5 seconds). */
const believedMs = 5_000;
/** Age from which it is asked for again beside the requests that still believe it, so that none of them waits. */
const refreshedMs = 2_500;

export interface CliqueState {
  /** All group-nodes answer. */
  readonly ready: boolean;
  readonly synced: boolean;
  /** For people, when one of the two is false. */
  readonly reason?: string;
  /** The group that is behind. */
  readonly group?: number;
  /** Milliseconds that its clock is ahead of its siblings', when that is the reason. */
  readonly clockOffset?: number;
  /** The group that does not answer. */
  readonly silentGroup?: number;
  /** Blocks that the group is behind, and for how many milliseconds. */
  readonly blocksBehind?: number;
  readonly behindForMs?: number;
}

/** Whether the group-nodes have caught up, asked rarely. */
@Injectable()
export class SyncMonitor {
  private asking: Promise<CliqueState> | undefined;
  /** On the monotonic clock. */
  private believedUntil = -Infinity;

  constructor(
    private readonly groups: GroupClient,
    private readonly clock: Clock,
  ) {}

  /** True while the last good answer is fresh: the way of a request that costs nothing. */
  isKnownSynced(): boolean {
    const left = this.believedUntil - this.clock.monotonic();
    if (left > 0 && left < believedMs - refreshedMs) void this.state();
    return left > 0;
  }

  /**
   * For what needs all groups; one group answers for itself. Throws `NotSynced` when a group says that it is behind,
   * `ClockOff` with the offset when its clock is the reason (00-decisions, 31), both with its number. A group that does not
   * answer is no reason: whoever needs that group is told so by the request itself, and the others go on.
   */
  async check(): Promise<void> {
    const { group, reason, clockOffset } = await this.state();
    if (group === undefined) return;
    if (clockOffset !== undefined) throw errorOf('ClockOff', `${reason}`, { group, clockOffset });
    throw errorOf('NotSynced', `The node has not caught up with the network (${reason}): ask again in a few seconds.`, {
      group,
    });
  }

  /** Asks all groups now; callers at the same time share one answer. */
  state(): Promise<CliqueState> {
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async ask(): Promise<CliqueState> {
    const asked = Array.from({ length: this.groups.groups }, (_, group) =>
      this.groups.request(group, 'read.node.status', {}),
    );
    const outcomes = await Promise.allSettled(asked);
    const behind = outcomes.find((outcome) => outcome.status === 'fulfilled' && !outcome.value.synced);
    const absent = outcomes.find((outcome) => outcome.status === 'rejected');
    this.believedUntil = behind ? -Infinity : this.clock.monotonic() + believedMs;
    if (behind) {
      const { value } = behind as PromiseFulfilledResult<NodeStatusReply>;
      const { group, clockOffset, blocksBehind, behindForMs } = value;
      return { ready: true, synced: false, reason: reasonOf(value), group, clockOffset, blocksBehind, behindForMs };
    }
    return absent ? { ready: false, synced: false, ...describeAbsence(absent.reason) } : { ready: true, synced: true };
  }
}

const reasonOf = ({ group, reason }: NodeStatusReply): string => `group ${group}: ${reason ?? 'it is catching up'}`;

/** The error of a request names the group that did not answer. */
const describeAbsence = (error: unknown): Pick<CliqueState, 'reason' | 'silentGroup'> => {
  if (!(error instanceof ServiceError)) return { reason: 'a group-node failed' };
  const { group } = error.data;
  return { reason: error.detail, ...(typeof group === 'number' ? { silentGroup: group } : {}) };
};
