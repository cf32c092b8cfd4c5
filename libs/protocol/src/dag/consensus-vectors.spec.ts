import { describe, expect, it } from '@jest/globals';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { targetValue } from '../block/index.js';
import { settingsOfKind } from '../network/index.js';
import { groupOrder, locatorHeights, retarget, withHeightGapPenalty } from './index.js';

interface Section<Case> {
  readonly cases: readonly Case[];
}
interface Consensus {
  readonly heightGapPenalty: Section<{ gap: number; result: string }> & { difficulty: string };
  readonly retarget: Section<{ targetBits: string; timeSpanMs: number; nextBits: string }> & { zeros: number };
  readonly groupOrder: Section<{ hash: string; order: number[] }>;
  readonly locatorHeights: Section<{ from: number; to: number; heights: number[] }>;
}

const vectors = readVectors<Partial<Consensus>>('consensus.json');
const bits = (hex: string): number => parseInt(hex, 16);

const walkers: { readonly [S in keyof Consensus]: (section: Consensus[S]) => void } = {
  heightGapPenalty: ({ difficulty, cases }) => {
    it.each(cases)('gap $gap', ({ gap, result }) => {
      expect(withHeightGapPenalty(BigInt(difficulty), gap)).toBe(BigInt(result));
    });
  },
  retarget: ({ zeros, cases }) => {
    const settings = { ...settingsOfKind('main'), numZeros: zeros };
    it.each(cases)('$targetBits after $timeSpanMs ms', ({ targetBits, timeSpanMs, nextBits }) => {
      expect(retarget(settings, targetValue(bits(targetBits)), BigInt(timeSpanMs))).toBe(bits(nextBits));
    });
  },
  groupOrder: ({ cases }) => {
    it.each(cases)('$hash', ({ hash, order }) => expect(groupOrder(hash, 4)).toEqual(order));
  },
  locatorHeights: ({ cases }) => {
    it.each(cases)('up to $to from $from', ({ from, to, heights }) => {
      expect(locatorHeights(from, to)).toEqual(heights);
    });
  },
};

describe('consensus.json', () => {
  for (const section of sectionsClaimedBy('consensus.json', 'dag')) {
    const walk = walkers[section as keyof Consensus] as ((value: unknown) => void) | undefined;
    const value = vectors[section as keyof Consensus];
    if (!walk) it(`${section} has a walker`, () => expect(section).toBe('walked'));
    else if (value) describe(section, () => walk(value));
  }
});
