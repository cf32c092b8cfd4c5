import { Injectable } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { Clock } from '@shardnode/core/lifecycle';
import { errorOf } from '@shardnode/http';
import { GroupClient, type NodeStatusReply, type SplitReport } from '@shardnode/messages';

/** Milliseconds for which a good response is cached (protocol 07 §1.13: the value is refreshed every 5 seconds). */
const believedMs = 5_000;
/** Age from which it is refreshed beside the requests that still use it, so that none of them waits. */
const refreshedMs = 2_500;

export interface CliqueState {
  /** All group-nodes respond. */
  readonly ready: boolean;
  readonly synced: boolean;
  /** For people, when one of the two is false. */
  readonly reason?: string;
  /** The group that is behind. */
  readonly group?: number;
  /** Milliseconds by which its clock is ahead of its siblings', when that is the reason. */
  readonly clockOffset?: number;
  /** The block on which another group builds, when that is the reason. */
  readonly split?: SplitReport;
  /** The group that does not respond. */
  readonly silentGroup?: number;
  /** It is there, but did not respond in time. */
  readonly isSlow?: boolean;
  /** Blocks by which the group is behind, and for how many milliseconds. */
  readonly blocksBehind?: number;
  readonly behindForMs?: number;
}

/** Whether the group-nodes have caught up; cached. */
@Injectable()
export class SyncMonitor {
  private asking: Promise<CliqueState> | undefined;
  /** On the monotonic clock. */
  private believedUntil = -Infinity;

  constructor(
    private readonly groups: GroupClient,
    private readonly clock: Clock,
  ) {}

  /** True while the last good response is valid: a check without cost. */
  isKnownSynced(): boolean {
    const left = this.believedUntil - this.clock.monotonic();
    if (left > 0 && left < believedMs - refreshedMs) void this.state();
    return left > 0;
  }

  /**
   * For operations that need all groups; one group checks by itself. Throws `NotSynced` when a group reports that it is
   * behind, `ClockOff` with the offset when its clock is the reason (00-decisions, 31), `ChainSplit` with the block when
   * its siblings build on one that it does not have, each with its number. A silent group is no reason: a request to
   * that group fails by itself, and the others continue.
   */
  async check(): Promise<void> {
    const { group, reason, clockOffset, split } = await this.state();
    if (group === undefined) return;
    if (clockOffset !== undefined) throw errorOf('ClockOff', `${reason}`, { group, clockOffset });
    if (split) throw errorOf('ChainSplit', `${reason}`, { group, ...split });
    throw errorOf('NotSynced', `The node has not caught up with the network (${reason}): ask again in a few seconds.`, {
      group,
    });
  }

  /** Queries all groups now; concurrent callers share one response. */
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
      const { group, clockOffset, split, blocksBehind, behindForMs } = value;
      const reason = reasonOf(value);
      return { ready: true, synced: false, reason, group, clockOffset, split, blocksBehind, behindForMs };
    }
    return absent ? { ready: false, synced: false, ...describeAbsence(absent.reason) } : { ready: true, synced: true };
  }
}

const reasonOf = ({ group, reason }: NodeStatusReply): string => `group ${group}: ${reason ?? 'it is catching up'}`;

/** The error of a request names the group that did not respond. */
const describeAbsence = (error: unknown): Pick<CliqueState, 'reason' | 'silentGroup' | 'isSlow'> => {
  if (!(error instanceof ServiceError)) return { reason: 'a group-node failed' };
  const { group } = error.data;
  const isSlow = error.code === 'DeadlineExceeded';
  return {
    reason: error.detail,
    ...(isSlow && { isSlow }),
    ...(typeof group === 'number' ? { silentGroup: group } : {}),
  };
};
