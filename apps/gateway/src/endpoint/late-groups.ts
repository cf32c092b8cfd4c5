import { ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { type Gate } from './plans.js';

/** Milliseconds, a part of the two seconds by which a queue may be late: it does not run empty meanwhile. */
const believed = 500;

/** Submits of some minutes, by the end of their bytes, which is of a signature. */
const remembered = 20_000;
const markBytes = 64;

type Submit = { readonly template: Uint8Array };

const markOf = ({ template }: Submit): string =>
  Buffer.from(template.buffer, template.byteOffset, template.byteLength).toString(
    'latin1',
    template.length - markBytes,
  );

interface Late {
  readonly until: number;
  readonly refusal: ServiceError;
}

/**
 * Groups whose queue was full a moment ago. Their refusal is told again without asking them: under an overload most submits
 * are refused, and what that costs the group-nodes and the bus is taken from those that are not. Whoever sends again what
 * its group has not refused wants to know what became of it, and gets through.
 */
export class LateGroups implements Gate<Submit> {
  private readonly late = new Map<number, Late>();
  /** Sent to their groups, which have not refused them for want of time. */
  private readonly sent = new Set<string>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** @throws ServiceError the refusal that the group gave to somebody else */
  enter(group: number, submit: Submit): void {
    const mark = markOf(submit);
    if (this.sent.has(mark)) return;
    const late = this.late.get(group);
    if (late && this.clock.monotonic() < late.until) throw late.refusal;
    this.sent.add(mark);
    if (this.sent.size > remembered) for (const oldest of this.sent) return void this.sent.delete(oldest);
  }

  refused(group: number, submit: Submit, error: unknown): void {
    if (!(error instanceof ServiceError) || error.code !== 'QueueFull') return;
    this.sent.delete(markOf(submit));
    this.late.set(group, { until: this.clock.monotonic() + believed, refusal: error });
  }
}
