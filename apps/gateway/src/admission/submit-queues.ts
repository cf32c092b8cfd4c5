import { Injectable } from '@nestjs/common';
import { RecentMap } from '@shardnode/core/eviction';
import { Clock } from '@shardnode/core/lifecycle';
import { currentContext } from '@shardnode/core/observability';
import { groupRequests, queueFull } from '@shardnode/messages';
import { ApiSettings } from '../settings/api-settings.js';
import { SubmitQueue } from './submit-queue.js';
import { isFull } from './submit-window.js';

/** Submits of some minutes, by their last bytes, which belong to a signature. */
const remembered = 20_000;
const markBytes = 64;
/** Milliseconds for which the room of a refused submit is kept after the named wait. */
const keptMs = 10_000;

type Submit = { readonly template: Uint8Array };

const markOf = ({ template }: Submit): string =>
  Buffer.from(template.buffer, template.byteOffset, template.byteLength).toString(
    'latin1',
    template.length - markBytes,
  );

/** The past of a submit: sent to its group, or refused until a time (milliseconds, monotonic). */
type Past = 'sent' | number;

/**
 * The submits of all groups at this gateway. One that its group cannot do in time is refused before it is sent. A
 * repeated one that was sent before is always sent again, because its client needs the status; a refused one that returns
 * at the named time goes before new ones.
 */
@Injectable()
export class SubmitQueues {
  private readonly queues: readonly SubmitQueue[];
  private readonly pasts = new RecentMap<string, Past>(remembered);
  /** Submits that are being read: their groups are not known yet. */
  private reading = 0;

  constructor(
    private readonly clock: Clock,
    { network }: ApiSettings,
  ) {
    this.queues = Array.from({ length: network.groups }, (_, group) => new SubmitQueue(group, clock));
  }

  /**
   * `ask` sends it to the group, with the milliseconds of the deadline that are left.
   *
   * @throws ServiceError `QueueFull` instead of a request to the group; the error of `ask`
   */
  async through<Reply>(group: number, submit: Submit, ask: (leftMs: number) => Promise<Reply>): Promise<Reply> {
    const mark = markOf(submit);
    const past = this.pasts.get(mark);
    if (past === 'sent') return ask(groupRequests['command.mempool.submit'].deadlineMs);
    const queue = this.queues[group]!;
    const early = past === undefined ? 0 : past - this.clock.monotonic();
    if (early > 0 && !queue.takesNew) throw queueFull([group], early);
    const queued = {
      client: currentContext()?.client ?? '',
      bytes: submit.template.length,
      isDue: past !== undefined && early <= 0 && early > -keptMs,
    };
    try {
      return await queue.through(queued, (leftMs) => {
        this.pasts.set(mark, 'sent');
        return ask(leftMs);
      });
    } catch (error) {
      if (isFull(error))
        this.pasts.set(mark, this.clock.monotonic() + 1_000 * Number(error.data?.['retryAfterSeconds']));
      throw error;
    }
  }

  /**
   * Counts a submit of any group as being read until the returned function is called.
   *
   * @throws ServiceError `QueueFull`, with the names of all groups, when the submits that are being read use up the
   * room, or when a group has none. If submits were read while three of four groups have room, a quarter of them would be
   * for the full group, and each would cost ten times as much as an unread one. The three groups have enough to do, unless
   * less than half of the queue of one is used.
   */
  admit(): () => void {
    const open = this.queues.filter(({ room }) => room > 0);
    const room = open.reduce((sum, queue) => sum + queue.room, -this.reading);
    if (room <= 0 || (open.length < this.queues.length && !open.some(({ isWanting }) => isWanting))) {
      const waits = this.queues.map((queue) => queue.promise(1 / this.queues.length));
      throw queueFull(this.queues.map(({ group }) => group) as [number, ...number[]], Math.max(...waits));
    }
    this.reading += 1;
    return () => {
      this.reading -= 1;
    };
  }
}
