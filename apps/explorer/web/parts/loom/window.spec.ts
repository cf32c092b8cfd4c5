import { describe, expect, it } from '@jest/globals';
import { madeBlock } from '../../store/made-blocks.js';
import { startWindow } from './window.js';

const minuteMs = 60_000;
const spans = [20_000, 2 * minuteMs, 6 * minuteMs, 30 * minuteMs];
const now = 1_700_000_000_000;

/** A network of 4 groups of which the page knows the newest blocks. @param everyMs from one block of a lane to the next */
const network = (everyMs: number, ofLane: number, known = 100) => {
  const all = Array.from({ length: 16 * ofLane }, (_, i) =>
    madeBlock(i % 16, ofLane - Math.floor(i / 16), { timestamp: now - (i * everyMs) / 16 }),
  );
  return { groups: 4, heads: all.slice(0, 16), blocks: all.slice(0, known) };
};
const windowOf = (...shape: Parameters<typeof network>) => startWindow(network(...shape), spans, now);

describe('the time that the picture shows at first', () => {
  it('has a third of the last fifteen blocks of a lane', () => {
    expect(windowOf(64_000, 1_000)).toEqual({ ms: 6 * minuteMs, isYoung: false });
    expect(windowOf(10_000, 1_000).ms).toBe(2 * minuteMs);
    expect(windowOf(160, 1_000).ms).toBe(20_000);
    expect(windowOf(300_000, 1_000).ms).toBe(30 * minuteMs);
  });

  it('grows with a young network, of which it has a third', () => {
    for (const [ageMs, ms] of [
      [10_000, 20_000],
      [55_000, 20_000],
      [65_000, 2 * minuteMs],
      [5 * minuteMs, 2 * minuteMs],
      [7 * minuteMs, 6 * minuteMs],
    ] as const)
      expect([ageMs, windowOf(ageMs / 10, 10, 160)]).toEqual([ageMs, { ms, isYoung: true }]);
  });

  it('reaches back to blocks of before a pause', () => {
    const { blocks, ...others } = network(100, 100);
    const paused = {
      ...others,
      blocks: blocks.map((block) => ({ ...block, timestamp: block.timestamp - 5 * minuteMs })),
    };
    expect(startWindow(paused, spans, now).ms).toBe(6 * minuteMs);
    expect(startWindow(paused, spans, now + 60 * minuteMs).ms).toBe(30 * minuteMs);
  });

  it('is the shortest of a network without blocks', () => {
    expect(startWindow({ groups: 4, heads: [], blocks: [] }, spans, now)).toEqual({ ms: 20_000, isYoung: true });
  });
});
