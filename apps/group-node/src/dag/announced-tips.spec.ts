import { describe, expect, it } from '@jest/globals';
import { AnnouncedTips } from './announced-tips.js';

const reader = (...known: string[]) => ({ holds: (hash: string) => known.includes(hash) });

describe('announced tips', () => {
  it('returns the newest announcement whose block is here', () => {
    const tips = new AnnouncedTips();
    tips.record(2, ['a']);
    tips.record(2, ['b']);
    tips.record(2, ['c']);
    expect(tips.newest(2)).toEqual(['c']);
    expect(tips.newestKnown(reader('a', 'b'), 2, 0)).toBe('b');
    expect(tips.newestKnown(reader('a', 'b', 'c'), 2, 0)).toBe('c');
  });

  it('never goes back to an older one', () => {
    const tips = new AnnouncedTips();
    tips.record(2, ['a']);
    tips.record(2, ['b']);
    expect(tips.newestKnown(reader('b'), 2, 0)).toBe('b');
    expect(tips.newestKnown(reader('a'), 2, 0)).toBeUndefined();
  });

  it('knows nothing of silent siblings', () => {
    expect(new AnnouncedTips().newestKnown(reader('a'), 1, 0)).toBeUndefined();
  });
});
