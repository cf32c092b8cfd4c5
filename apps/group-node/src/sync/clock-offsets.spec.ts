import { describe, expect, it } from '@jest/globals';
import { ClockOffsets } from './clock-offsets.js';

describe('clock offsets (decision 31)', () => {
  it('believes two siblings, not one', () => {
    const clocks = new ClockOffsets();
    clocks.heard(1, 1_000, 7_000);
    expect(clocks.deviation(7_000)).toBeUndefined();
    clocks.heard(2, 1_500, 7_000);
    expect(clocks.deviation(7_000)).toBe(6_000);
  });

  it('tolerates five seconds and recovers by itself', () => {
    const clocks = new ClockOffsets();
    clocks.heard(1, 1_000, 7_000);
    clocks.heard(2, 1_000, 7_000);
    expect(clocks.deviation(7_000)).toBe(6_000);
    clocks.heard(1, 3_000, 8_000);
    expect(clocks.deviation(8_000)).toBeUndefined();
  });

  it('forgets witnesses that fell silent', () => {
    const clocks = new ClockOffsets();
    clocks.heard(1, 1_000, 7_000);
    clocks.heard(2, 1_000, 7_000);
    expect(clocks.deviation(40_000)).toBeUndefined();
  });
});
