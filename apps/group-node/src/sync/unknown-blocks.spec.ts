import { describe, expect, it } from '@jest/globals';
import { UnknownBlocks } from './unknown-blocks.js';

describe('unknown blocks', () => {
  const known = new Set<string>();
  const unknown = new UnknownBlocks((hash) => !known.has(hash));

  it('that arrive one after the other are no gap', () => {
    for (let now = 0; now < 1_000; now += 50) {
      unknown.record(1, [`block ${now}`], now);
      expect(unknown.areOverdue(200, now)).toBe(false);
      known.add(`block ${now}`);
    }
  });

  it('are a gap when one does not arrive, whatever else arrives', () => {
    unknown.record(1, ['lost'], 1_000);
    for (let now = 1_050; now < 1_200; now += 50) {
      unknown.record(1, [`block ${now}`], now);
      known.add(`block ${now}`);
    }
    expect(unknown.areOverdue(200, 1_199)).toBe(false);
    expect(unknown.areOverdue(200, 1_200)).toBe(true);
    known.add('lost');
    expect(unknown.areOverdue(200, 1_300)).toBe(false);
  });

  it('of one sibling are not excused by another', () => {
    unknown.record(1, ['lost too'], 2_000);
    unknown.record(2, ['block 0'], 2_100);
    expect(unknown.areOverdue(200, 2_200)).toBe(true);
  });

  it('that never arrive, as after a poisoned message, are dropped when the sibling names others', () => {
    unknown.record(3, ['invented'], 10_000);
    unknown.record(3, ['block 0'], 11_000);
    known.add('lost too');
    expect(unknown.areOverdue(200, 19_999)).toBe(true);
    unknown.record(3, ['block 0'], 20_000);
    expect(unknown.areOverdue(200, 20_000)).toBe(false);
  });
});
