import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { ClockOffsets } from './clock-offsets.js';

const open = () => {
  const clock = createStoppedClock();
  const clocks = new ClockOffsets(clock);
  /** All siblings report their clocks, which are so many milliseconds ahead of the true time. */
  const tell = (truth: number, ahead: readonly number[] = [0, 0, 0]): void =>
    ahead.forEach((offset, index) => clocks.record(index + 1, truth + offset));
  return { clock, clocks, tell };
};

describe('clock offsets (decision 31)', () => {
  it('believes two siblings, not one', () => {
    const { clock, clocks } = open();
    clocks.record(1, clock.now() - 6_000);
    expect(clocks.deviation()).toBeUndefined();
    clocks.record(2, clock.now() - 5_500);
    expect(clocks.deviation()).toBe(5_500);
    clocks.record(2, clock.now() - 4_999);
    expect(clocks.deviation()).toBeUndefined();
  });

  it('does not stop for one sibling that is off, in either direction', () => {
    const { clock, clocks, tell } = open();
    for (const off of [600_000, -600_000]) {
      tell(clock.now(), [0, off, 0]);
      clock.advance(5_000);
      expect(clocks.deviation()).toBeUndefined();
    }
  });

  it('detects at once that our own clock is set, and that it is corrected', () => {
    const { clock, clocks, tell } = open();
    tell(clock.now());
    clock.advance(700);
    const truth = clock.now();
    for (const jump of [600_000, -600_000]) {
      clock.setWallClock(truth + jump);
      expect(clocks.deviation()).toBe(jump);
      tell(truth);
      expect(clocks.deviation()).toBe(jump);
      clock.setWallClock(truth);
      expect(clocks.deviation()).toBeUndefined();
    }
  });

  it('is not misled by heartbeats that were queued while this process was frozen', () => {
    const { clock, clocks, tell } = open();
    tell(clock.now());
    const frozenAt = clock.now();
    clock.advance(30_000);
    // All at once: the heartbeats of the 30 seconds, oldest first.
    for (let second = 1; second <= 30; second++) {
      tell(frozenAt + second * 1_000);
      expect(clocks.deviation()).toBeUndefined();
    }
  });

  it('is corrected by the first prompt heartbeats when the late ones were its first', () => {
    const { clock, clocks, tell } = open();
    tell(clock.now() - 10_000);
    expect(clocks.deviation()).toBe(10_000);
    clock.advance(200);
    tell(clock.now() - 500);
    expect(clocks.deviation()).toBeUndefined();
  });

  it('ignores late and reordered heartbeats', () => {
    const { clock, clocks, tell } = open();
    for (let beat = 0; beat < 20; beat++) {
      clock.advance(1_000);
      tell(clock.now() - 500);
      // An old one replaces nothing.
      tell(clock.now() - 9_000);
      expect(clocks.deviation()).toBeUndefined();
    }
  });

  it('follows siblings whose clocks were set back together, within seconds', () => {
    const { clock, clocks, tell } = open();
    tell(clock.now(), [600_000, 600_000, 0]);
    expect(clocks.deviation()).toBe(-600_000);
    for (let beat = 0; beat < 4; beat++) {
      clock.advance(1_000);
      tell(clock.now());
    }
    expect(clocks.deviation()).toBeUndefined();
  });

  it('stays stopped while the bus is unavailable, and drops siblings after long silence', () => {
    const { clock, clocks, tell } = open();
    tell(clock.now() - 60_000);
    clock.advance(90_000);
    expect(clocks.deviation()).toBe(60_000);
    clock.advance(600_000);
    expect(clocks.deviation()).toBeUndefined();
  });
});
