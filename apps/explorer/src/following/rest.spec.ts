import { expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { Rest } from './rest.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const open = (isWanted = true) => {
  const clock = createStoppedClock(0);
  const rest = new Rest(clock, () => isWanted);
  const work = (milliseconds: number): Promise<void> => rest.after(async () => clock.advance(milliseconds));
  /** Milliseconds until the rest is over. */
  const length = async (): Promise<number> => {
    let isOver = false;
    void rest.over().then(() => (isOver = true));
    for (let passed = 0; ; passed++) {
      await turn();
      if (isOver) return passed;
      clock.advance(1);
    }
  };
  return { clock, rest, work, length };
};

it('takes as long as the work, and a second at most', async () => {
  const { work, length } = open();
  expect(await length()).toBe(0);
  for (const [worked, rested] of [
    [1, 1],
    [20, 20],
    [3_000, 1_000],
    [0, 0],
  ] as const) {
    await work(worked);
    expect(await length()).toBe(rested);
  }
});

it('is over before work that comes later', async () => {
  const { clock, work, length } = open();
  await work(10);
  clock.advance(6);
  expect(await length()).toBe(4);
  await work(10);
  clock.advance(10);
  expect(await length()).toBe(0);
});

it('follows failed work, too, and none when it is not wanted', async () => {
  const { clock, rest, length } = open();
  const failing = async (): Promise<void> => {
    clock.advance(10);
    throw new Error('no database');
  };
  await expect(rest.after(failing)).rejects.toThrow('no database');
  expect(await length()).toBe(10);
  const busy = open(false);
  await busy.work(10);
  expect(await busy.length()).toBe(0);
});
