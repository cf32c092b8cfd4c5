import { beforeEach, describe, expect, it } from '@jest/globals';
import { queueFull } from '@shardnode/messages';
import { SubmitWindow } from './submit-window.js';

describe('window of submits', () => {
  let now = 0;
  let window: SubmitWindow;
  beforeEach(() => {
    now = 0;
    window = new SubmitWindow({ monotonic: () => now });
  });

  /** Submits that stay in flight until they are answered after so many milliseconds, as many as there is room for. */
  const round = async (milliseconds: number, most = Number.POSITIVE_INFINITY): Promise<number> => {
    const answers: (() => void)[] = [];
    const all: Promise<void>[] = [];
    while (window.hasRoom && all.length < most) {
      all.push(window.through(() => new Promise<void>((resolve) => answers.push(resolve))));
    }
    now += milliseconds;
    for (const answer of answers) answer();
    await Promise.all(all);
    return all.length;
  };
  const rounds = async (count: number, milliseconds: number): Promise<number[]> => {
    const sizes: number[] = [];
    for (let i = 0; i < count; i++) sizes.push(await round(milliseconds));
    return sizes;
  };

  it('grows while responses are prompt, up to a bound', async () => {
    const sizes = await rounds(40, 400);
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect([sizes[0], sizes.at(-1)]).toEqual([256, 1_024]);
  });

  it('shrinks when responses are late, once a second, and not below the lower bound', async () => {
    expect(await rounds(6, 1_000)).toEqual([256, 192, 144, 128, 128, 128]);
  });

  it('does not shrink for one late response of a hundred, and does not change while unused', async () => {
    for (let i = 0; i < 20; i++) {
      await round(600, 90);
      await round(3_000, 1);
    }
    for (let i = 0; i < 2_000; i++) await round(1, 1);
    expect(await round(1)).toBe(256);
  });

  it('lets a group rest that has refused one, and shrinks', async () => {
    await expect(window.through(() => Promise.reject(queueFull([1], 1)))).rejects.toThrow('ask again in 1 s');
    expect([window.hasRoom, window.restsForMs]).toEqual([false, 500]);
    now = 500;
    expect([window.hasRoom, window.restsForMs]).toEqual([true, 0]);
    expect(await round(1)).toBe(192);
  });
});
