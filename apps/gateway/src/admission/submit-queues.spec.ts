import { beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { runInContext } from '@shardnode/core/observability';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import { queueFull } from '@shardnode/messages';
import { type ApiSettings } from '../settings/api-settings.js';
import { SubmitQueues } from './submit-queues.js';

const silent = new ServiceError('unavailable', 'DeadlineExceeded', 'no answer');

/** The only settings that the queues read. */
const testSettings = { network: { groups: 4 } } as ApiSettings;

let made = 0;
const submitOf = (bytes = 200) => {
  const template = new Uint8Array(bytes);
  new DataView(template.buffer).setUint32(bytes - 50, ++made);
  return { template };
};
type Submit = ReturnType<typeof submitOf>;

/** The promises that are settled now have been heard. */
const heard = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A group that answers one submit after the other, so many a second, and remembers what it was asked. */
class Group {
  readonly deadlines: number[] = [];
  readonly done: string[] = [];
  private busyUntil = 0;

  constructor(
    private readonly clock: StoppedClock,
    public rate: number,
  ) {}

  readonly ask =
    (name = '') =>
    (deadlineMs: number): Promise<void> => {
      this.deadlines.push(deadlineMs);
      this.busyUntil = Math.max(this.busyUntil, this.clock.monotonic()) + 1_000 / this.rate;
      return new Promise((resolve) => {
        this.clock.after(this.busyUntil - this.clock.monotonic(), () => {
          this.done.push(name);
          resolve();
        });
      });
    };
}

describe('queues of submits', () => {
  let clock: StoppedClock;
  let queues: SubmitQueues;
  beforeEach(() => {
    clock = createStoppedClock();
    queues = new SubmitQueues(clock, testSettings);
  });

  /** The refusal of a submit before it is read; undefined: it may be read. */
  const refusal = (): unknown => {
    try {
      queues.admit()();
      return undefined;
    } catch (error) {
      return error;
    }
  };
  /** Time goes on, with answers between its steps. */
  const pass = async (milliseconds: number, step = 5): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      clock.advance(step);
      await heard();
    }
  };
  /** Undefined: not answered yet; `done`, or the seconds that its refusal names. */
  interface Sent {
    outcome?: 'done' | number | Error;
  }
  const send = (group: number, ask: (leftMs: number) => Promise<unknown>, submit = submitOf()): Sent => {
    const sent: Sent = {};
    void queues.through(group, submit, ask).then(
      () => (sent.outcome = 'done'),
      (error: ServiceError) =>
        (sent.outcome = error.code === 'QueueFull' ? Number(error.data!['retryAfterSeconds']) : error),
    );
    return sent;
  };
  const sendMany = (group: number, count: number, ask: (leftMs: number) => Promise<unknown>): Sent[] =>
    Array.from({ length: count }, () => send(group, ask));
  const counted = (all: readonly Sent[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { outcome } of all) {
      const name = outcome === undefined ? 'open' : outcome === 'done' ? 'done' : 'refused';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
  const never = (): Promise<never> => new Promise(() => undefined);
  /** The group has answered at this rate while submits waited for it. */
  const measured = async (group: Group, index = 1): Promise<void> => {
    sendMany(index, 300, group.ask());
    await pass((300 * 1_000) / group.rate + 100, 500 / group.rate);
    // Promises that nobody has come back for are over.
    await pass(30_000, 10_000);
  };

  it('send what fits into the window, and the rest as soon as there are answers', async () => {
    const group = new Group(clock, 100);
    const all = sendMany(1, 500, group.ask());
    expect(group.deadlines).toHaveLength(256);
    await pass(1_000);
    expect(group.deadlines.length).toBeGreaterThan(340);
    await pass(4_100);
    expect(counted(all)).toEqual({ done: 500 });
    // The rest of ten seconds.
    expect(group.deadlines[0]).toBe(10_000);
    expect(Math.min(...group.deadlines)).toBeGreaterThan(6_000);
  });

  it.each([20, 100])('refuse nothing that a group with %d a second does within six seconds', async (rate) => {
    const group = new Group(clock, rate);
    await measured(group);
    const all = sendMany(1, 5 * rate, group.ask());
    await heard();
    expect(counted(all)).toEqual({ open: 5 * rate });
    await pass(6_000, 10);
    expect(counted(all)).toEqual({ done: 5 * rate });
  });

  it.each([20, 100, 300])(
    'name a wait after which each refused one is done, at %d a second',
    async (rate) => {
      const group = new Group(clock, rate);
      await measured(group);
      const submits = Array.from({ length: 15 * rate }, () => submitOf());
      const first = submits.map((submit) => send(1, group.ask(), submit));
      await heard();
      const refused = submits.flatMap((submit, i) => {
        const { outcome } = first[i]!;
        return typeof outcome === 'number' ? [{ submit, seconds: outcome }] : [];
      });
      expect(refused.length).toBeGreaterThan(4 * rate);
      const again: Sent[] = [];
      for (let second = 1; refused.length > again.length; second++) {
        await pass(1_000);
        for (const { submit, seconds } of refused) if (seconds === second) again.push(send(1, group.ask(), submit));
      }
      await pass(10_000);
      expect(counted(again)).toEqual({ done: again.length });
      expect(counted(first)).toEqual({ done: first.length - refused.length, refused: refused.length });
    },
    60_000,
  );

  it('keep the named time while senders go on with new ones as soon as they can', async () => {
    const group = new Group(clock, 50);
    await measured(group);
    // Three times as many senders as fit.
    const senders = Array.from({ length: 900 }, () => ({
      submit: submitOf(),
      dueAt: 0,
      refusals: 0,
      sent: {} as Sent,
    }));
    const most: number[] = [];
    for (const sender of senders) sender.sent = send(1, group.ask(), sender.submit);
    for (let now = 0; now < 40_000; now += 50) {
      await pass(50, 25);
      for (const sender of senders) {
        const { outcome } = sender.sent;
        if (outcome === undefined || now < sender.dueAt) continue;
        if (outcome === 'done') Object.assign(sender, { submit: submitOf(), refusals: 0 });
        else if (sender.dueAt === 0) {
          Object.assign(sender, { dueAt: now + 1_000 * (outcome as number), refusals: sender.refusals + 1 });
          most.push(sender.refusals);
          continue;
        }
        Object.assign(sender, { dueAt: 0, sent: send(1, group.ask(), sender.submit) });
      }
    }
    expect(most.length).toBeGreaterThan(500);
    expect(Math.max(...most)).toBe(1);
    // Promises leave it no time unused.
    expect(group.done.length).toBeGreaterThan(0.99 * 50 * 40);
  }, 60_000);

  it('repeat the remaining wait of one that returns too early', async () => {
    const all = sendMany(1, 2_000, never);
    await heard();
    const submit = submitOf();
    const { outcome } = send(1, never, submit);
    await heard();
    void outcome;
    const first = send(1, never, submit);
    await heard();
    await pass(3_000, 1_000);
    const later = send(1, never, submit);
    await heard();
    expect(later.outcome).toBe((first.outcome as number) - 3);
    expect(counted(all).refused).toBeGreaterThan(1_000);
  });

  it('refuse one that has waited eight seconds, and ask the group for it no more', async () => {
    const all = sendMany(1, 300, never);
    await pass(7_900, 100);
    expect(counted(all)).toEqual({ open: 300 });
    await pass(200, 100);
    expect(counted(all)).toEqual({ open: 256, refused: 44 });
  });

  it('return what the group refuses to the queue, and let the group rest', async () => {
    let isFull = true;
    const asked: number[] = [];
    const group = new Group(clock, 100);
    const sent = send(1, (leftMs) => {
      asked.push(leftMs);
      return isFull ? Promise.reject(queueFull([1], 5_000)) : group.ask()(leftMs);
    });
    await heard();
    await pass(1_400, 100);
    expect(asked).toEqual([10_000, 9_500, 9_000]);
    isFull = false;
    await pass(200);
    expect(sent.outcome).toBe('done');
    isFull = true;
    const vain = send(1, () => Promise.reject(queueFull([1], 5_000)));
    await pass(8_100, 100);
    expect(vain.outcome).toBe(1);
  });

  it('send those of each client in rotation, and refuse the newest of the one with the most', async () => {
    const group = new Group(clock, 100);
    const by = (client: string, name: string): Sent =>
      runInContext({ requestId: '', client }, () => send(1, group.ask(name)));
    const many = Array.from({ length: 900 }, (_, i) => by('many', `many ${i}`));
    await heard();
    expect(counted(many)).toEqual({ open: 600, refused: 300 });
    const few = [1, 2, 3].map((i) => by('few', `few ${i}`));
    await heard();
    expect(counted(few)).toEqual({ open: 3 });
    expect(counted(many)).toEqual({ open: 597, refused: 303 });
    await pass(2_700);
    expect(group.done.filter((name) => name.startsWith('few'))).toEqual(['few 1', 'few 2', 'few 3']);
    expect(group.done.indexOf('few 3')).toBeLessThan(256 + 7);
  });

  it('count a large one for each part of 16 KiB', async () => {
    const large = Array.from({ length: 300 }, () => send(1, never, submitOf(10 * 16_384)));
    await heard();
    expect(counted(large)).toEqual({ open: 60, refused: 240 });
  });

  it('name the group, and let others go on', async () => {
    sendMany(1, 700, never);
    await expect(queues.through(1, submitOf(), never)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'QueueFull',
      message: expect.stringMatching(/^Group 1 has more work .* ask again in 2 s$/),
      data: { group: 1, retryAfterSeconds: 2 },
    });
    await expect(queues.through(2, submitOf(), async () => 'asked')).resolves.toBe('asked');
  });

  it('send a repeated one at once that was sent, and not one that waits', async () => {
    const first: Submit = submitOf();
    await expect(queues.through(1, first, () => Promise.reject(silent))).rejects.toBe(silent);
    sendMany(1, 300, never);
    await expect(queues.through(1, first, async (leftMs) => leftMs)).resolves.toBe(10_000);
    const waiting = submitOf();
    const all = [waiting, waiting].map((submit) => send(1, async () => 'asked', submit));
    await heard();
    expect(counted(all)).toEqual({ open: 2 });
  });

  describe('before they are read', () => {
    it('are as many as the room of all groups, whatever the group of each', () => {
      const ends: (() => void)[] = [];
      while (refusal() === undefined) ends.push(queues.admit());
      expect(ends).toHaveLength(4 * 800);
      expect(refusal()).toMatchObject({ code: 'QueueFull', data: { group: 0 } });
      ends.pop()!();
      expect(refusal()).toBeUndefined();
    });

    it('are refused while one group is full, unless another is less than half full', async () => {
      const fill = (group: number, count: number) =>
        Array.from({ length: Math.ceil(count / 10) }, () => send(group, never, submitOf(10 * 16_384)));
      fill(0, 600);
      for (const group of [0, 1, 2, 3]) fill(group, 300);
      await heard();
      expect(refusal()).toBeUndefined();
      // Those that were promised room and return.
      const submits = Array.from({ length: 20 }, () => submitOf(10 * 16_384));
      for (const submit of submits) send(0, never, submit);
      await pass(2_000, 1_000);
      for (const submit of submits) send(0, never, submit);
      await heard();
      expect(refusal()).toMatchObject({
        code: 'QueueFull',
        message: expect.stringMatching(/^Groups 0, 1, 2, 3 have more work/),
      });
    });

    it('are told later times, the more were refused', async () => {
      const seconds: number[] = [];
      for (let i = 0; i < 3_200; i++) queues.admit();
      for (let i = 0; i < 2_000; i++) seconds.push(Number((refusal() as ServiceError).data!['retryAfterSeconds']));
      expect([seconds[0], seconds.at(-1)]).toEqual([1, 6]);
    });
  });
});
