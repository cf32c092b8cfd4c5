import { beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { systemClock } from '@shardnode/core/lifecycle';
import { type ApiSettings } from '../settings/api-settings.js';
import { SubmitWindows } from './submit-windows.js';

const full = new ServiceError('unavailable', 'QueueFull', 'too much work waits for group 1', { group: 1 });
const silent = new ServiceError('unavailable', 'DeadlineExceeded', 'no answer');

/** The only settings that the windows read. */
const testSettings = { network: { groups: 4 } } as ApiSettings;

let made = 0;
const submit = () => {
  const template = new Uint8Array(200);
  new DataView(template.buffer).setUint32(150, ++made);
  return { template };
};

/** Submits admitted to a group with a window of this size: an eighth more, because they are read already. */
const passing = (size: number): number => size + size / 8;

describe('windows of submits', () => {
  let now = 0;
  let windows: SubmitWindows;
  beforeEach(() => {
    now = 0;
    windows = new SubmitWindows({ ...systemClock, monotonic: () => now }, testSettings);
  });

  /** The refusal of a submit before it is read; undefined: it may be read. */
  const refusal = (): unknown => {
    try {
      windows.admit()();
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const failing = (group: number, sent: { template: Uint8Array }, error: Error) =>
    expect(windows.through(group, sent, () => Promise.reject(error))).rejects.toBe(error);
  const passes = (group: number, sent = submit()) =>
    expect(windows.through(group, sent, () => Promise.resolve('asked'))).resolves.toBe('asked');
  /** Submits that stay in flight until `answer`; refused ones are left out. */
  const fill = async (group: number, count: number): Promise<{ under: number; answer: () => Promise<void> }> => {
    const answers: (() => void)[] = [];
    const all = Array.from({ length: count }, () =>
      windows.through(group, submit(), () => new Promise<void>((resolve) => answers.push(resolve))).catch(() => 0),
    );
    await Promise.resolve();
    return {
      under: answers.length,
      answer: async () => {
        for (const answer of answers) answer();
        await Promise.all(all);
      },
    };
  };

  it('admit the submits of a hundred wallets per group at once, and name the group in a refusal', async () => {
    const { under, answer } = await fill(1, 2_000);
    expect(under).toBe(passing(256));
    await expect(windows.through(1, submit(), () => Promise.resolve())).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'QueueFull',
      message: expect.stringContaining('Group 1'),
      data: { group: 1, retryAfterSeconds: 1 },
    });
    await passes(2);
    await answer();
    await passes(1);
  });

  it('limit the submits being read to their capacity, whatever the group of each', async () => {
    const ends: (() => void)[] = [];
    for (let group = 0; group < 4; group++) {
      expect(refusal()).toBeUndefined();
      await passes(group);
    }
    while (refusal() === undefined) ends.push(windows.admit());
    expect(ends).toHaveLength(4 * 256);
    expect(refusal()).toMatchObject({ code: 'QueueFull', data: { group: 0 } });
    ends.pop()!();
    expect(refusal()).toBeUndefined();
    const { answer } = await fill(2, 1);
    expect(refusal()).toMatchObject({ code: 'QueueFull' });
    await answer();
    expect(refusal()).toBeUndefined();
    for (const end of ends.splice(0)) end();
    await failing(1, submit(), full);
    while (refusal() === undefined) ends.push(windows.admit());
    expect(ends).toHaveLength(3 * 256);
  });

  it('admit no unread submit while one group is full, unless another is nearly idle', async () => {
    const filled = await Promise.all([0, 1, 2, 3].map((group) => fill(group, 256)));
    expect(refusal()).toMatchObject({ code: 'QueueFull' });
    // Neither prompt nor late.
    now += 600;
    const someRoom = async (group: number, room: number) => {
      await filled[group]!.answer();
      await fill(group, 256 - room);
    };
    for (const group of [0, 1, 2]) {
      await someRoom(group, 100);
      expect(refusal()).toMatchObject({ code: 'QueueFull' });
    }
    await someRoom(3, 129);
    expect(refusal()).toBeUndefined();
    await fill(0, 100);
    expect(refusal()).toBeUndefined();
    await fill(3, 1);
    expect(refusal()).toMatchObject({ code: 'QueueFull' });
  });

  it('admit every submit while all groups have capacity', async () => {
    const filled = await Promise.all([0, 1, 2, 3].map((group) => fill(group, 256)));
    now += 600;
    for (const [group, { answer }] of filled.entries()) {
      expect(refusal()).toMatchObject({ code: 'QueueFull' });
      await answer();
      await fill(group, 255);
    }
    expect(refusal()).toBeUndefined();
  });

  it('admit a submit that is read a little longer than an unread one', async () => {
    const filled = await Promise.all([0, 1, 2, 3].map((group) => fill(group, 256)));
    expect(refusal()).toMatchObject({ code: 'QueueFull' });
    const late = await fill(2, 100);
    expect(late.under).toBe(32);
    for (const { answer } of [...filled, late]) await answer();
    expect(refusal()).toBeUndefined();
  });

  it('grow while responses are prompt, up to a bound', async () => {
    let before = 0;
    for (let turn = 0; turn < 40; turn++) {
      const { under, answer } = await fill(1, 2_000);
      expect(under).toBeGreaterThanOrEqual(before);
      before = under;
      now += 400;
      await answer();
    }
    expect(before).toBe(passing(1_024));
  });

  it('shrink when responses are late, once a second, and not below the lower bound', async () => {
    const sizes: number[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const { under, answer } = await fill(1, 2_000);
      sizes.push(under);
      now += 1_000;
      await answer();
    }
    expect(sizes).toEqual([256, 192, 144, 128, 128, 128].map(passing));
  });

  it('do not shrink for one late response of a hundred', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const { answer } = await fill(1, 90);
      now += 600;
      await answer();
      const late = await fill(1, 1);
      now += 3_000;
      await late.answer();
    }
    const { under, answer } = await fill(1, 2_000);
    expect(under).toBe(passing(256));
    await answer();
  });

  it('do not change while unused', async () => {
    for (let turn = 0; turn < 2_000; turn++) await passes(1);
    const { under, answer } = await fill(1, 2_000);
    expect(under).toBe(passing(256));
    await answer();
  });

  it('repeat the refusal of a group with a full queue for a while, without a request to it', async () => {
    const first = submit();
    await failing(1, first, full);
    await expect(windows.through(1, submit(), () => Promise.resolve())).rejects.toBe(full);
    await expect(windows.through(1, first, () => Promise.resolve())).rejects.toBe(full);
    await passes(2);
    now = 500;
    await passes(1, first);
  });

  it('admit repeated submits that were not refused', async () => {
    const unanswered = submit();
    await failing(1, unanswered, silent);
    await failing(1, submit(), full);
    await expect(windows.through(1, submit(), () => Promise.resolve())).rejects.toBe(full);
    await passes(1, unanswered);
  });

  it('cache only refusals because of overload', async () => {
    await failing(3, submit(), new ServiceError('unavailable', 'MempoolFull', 'full'));
    await failing(3, submit(), new ServiceError('refused', 'InvalidSignature', 'no'));
    await passes(3);
  });
});
