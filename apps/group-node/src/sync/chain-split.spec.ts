import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { type AnnouncedHead, judgeSplit, type LackingHead } from './chain-split.js';

const period = 30_000;
const missing = { block: 'block', cause: 'missing' } as const;

const head = (changes: Partial<AnnouncedHead> = {}): AnnouncedHead => ({
  sibling: 1,
  slot: 3,
  obstacle: missing,
  stored: 'tip',
  ...changes,
});

/** Judges what is observed each second, from 0 on. */
const judgeAll = (observed: readonly (readonly AnnouncedHead[])[]): (LackingHead | undefined)[] => {
  let lacking: readonly LackingHead[] = [];
  return observed.map((heads, second) => {
    const verdict = judgeSplit(lacking, heads, second * 1_000, period);
    lacking = verdict.lacking;
    return verdict.split;
  });
};
const seconds = <T>(count: number, of: (second: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));

describe('the verdict about a split', () => {
  it('a sibling builds on for half a minute, and nothing of the chain comes here', () => {
    const splits = judgeAll(seconds(40, (second) => [head({ obstacle: { ...missing, block: `block ${second}` } })]));
    expect(splits.findIndex((split) => split !== undefined)).toBe(30);
    expect(splits.at(-1)).toMatchObject({ sibling: 1, slot: 3, obstacle: { block: 'block 39' }, since: 0 });
  });

  it('is over as soon as the head is here: the sibling has left the block, or the block came', () => {
    const splits = judgeAll([...seconds(35, () => [head()]), [head({ obstacle: undefined })], [head()]]);
    expect(splits.slice(-3)).toEqual([expect.objectContaining({ since: 0 }), undefined, undefined]);
  });

  it('is over when the sibling is silent', () => {
    expect(judgeAll([...seconds(35, () => [head()]), [], [head()]]).slice(-2)).toEqual([undefined, undefined]);
  });

  it('none: a node that is behind, and stores blocks of the chain', () => {
    const splits = judgeAll(seconds(100, (second) => [head({ stored: `tip ${Math.floor(second / 20)}` })]));
    expect(splits.filter(Boolean)).toEqual([]);
  });

  it('none: single heads that are missing for a moment, however often', () => {
    const splits = judgeAll(seconds(100, (second) => [head({ obstacle: second % 29 === 0 ? undefined : missing })]));
    expect(splits.filter(Boolean)).toEqual([]);
  });

  it('of several heads the one that has been lacking longest is told', () => {
    const later = head({ sibling: 2, slot: 4 });
    const splits = judgeAll(seconds(40, (second) => (second < 5 ? [head()] : [later, head()])));
    expect(splits[30]).toMatchObject({ sibling: 1, since: 0 });
    expect(splits[39]).toMatchObject({ sibling: 1, since: 0 });
  });

  it('exactly when some head was lacking at each look of the period, and its chain never grew', () => {
    const slots = [0, 1, 2];
    const moment = fc.record({ obstacle: fc.constantFrom(undefined, missing), stored: fc.constantFrom('a', 'b') });
    // Mostly lacking and at rest, so that periods of four seconds happen.
    const often = fc.oneof(
      { weight: 8, arbitrary: fc.constant({ obstacle: missing, stored: 'a' }) },
      { weight: 1, arbitrary: moment },
    );
    let found = 0;
    fc.assert(
      fc.property(fc.array(fc.array(often, { minLength: 3, maxLength: 3 }), { maxLength: 30 }), (history) => {
        let lacking: readonly LackingHead[] = [];
        for (const [at, moments] of history.entries()) {
          const observed = moments.map((each, slot) => head({ slot, ...each }));
          const verdict = judgeSplit(lacking, observed, at, 4);
          lacking = verdict.lacking;
          const isStuck = slots.some((slot) => {
            const last = history.slice(Math.max(0, at - 4), at + 1).map((each) => each[slot]!);
            return last.length === 5 && last.every((each) => each.obstacle && each.stored === last[0]!.stored);
          });
          expect(verdict.split !== undefined).toBe(isStuck);
          if (isStuck) found++;
        }
      }),
    );
    expect(found).toBeGreaterThan(0);
  });
});
