import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { type OldHeight, planStep, type PlannedStep } from './plan-step.js';

const most = 32;
/** Of nodes that each height replaced; what is planned never looks at a hash. */
const counts = fc.array(fc.nat(3 * most), { minLength: 1, maxLength: 12 });

const heightsOf = (lengths: readonly number[]): OldHeight[] =>
  lengths.map((length, height) => ({
    height,
    blockHash: `block ${height}`,
    replaced: { seq: BigInt(10 * height), hashes: Array.from({ length }, (_, i) => `node ${height} ${i}`) },
    others: height % 3 === 0 ? [BigInt(10 * height + 1), BigInt(10 * height + 2)] : [],
  }));

/** Steps until nothing is left; each goes on with the first height that is not complete, as the pruner does. */
const allSteps = (heights: readonly OldHeight[]): PlannedStep['step'][] => {
  const steps: PlannedStep['step'][] = [];
  let planned = planStep(heights, undefined, most);
  for (let left = heights; planned && steps.length < 100; planned = planStep(left, planned.progress, most)) {
    const { place } = planned.step;
    steps.push(planned.step);
    left = left.filter(({ height }) => height > place.height || (height === place.height && !place.isComplete));
  }
  return steps;
};

describe('steps of pruning over some heights', () => {
  it('delete each replaced node once, in order, before the number of the block that replaced it', () => {
    fc.assert(
      fc.property(counts, (lengths) => {
        const heights = heightsOf(lengths);
        const expected = heights.flatMap(({ replaced: { seq, hashes } }) =>
          hashes.map((hash) => ({ hash, before: seq })),
        );
        expect(allSteps(heights).flatMap(({ nodes }) => nodes)).toEqual(expected);
      }),
    );
  });

  it('are full, but for the last one', () => {
    fc.assert(
      fc.property(counts, (lengths) => {
        const steps = allSteps(heightsOf(lengths));
        for (const { nodes } of steps.slice(0, -1)) expect(nodes).toHaveLength(most);
        expect(steps.at(-1)!.nodes.length).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('finish each height once, with all of its blocks, when its last node goes', () => {
    fc.assert(
      fc.property(counts, (lengths) => {
        const heights = heightsOf(lengths);
        const gone = new Set<string>();
        const finished: bigint[] = [];
        for (const { nodes, finished: now, place } of allSteps(heights)) {
          for (const { hash } of nodes) gone.add(hash);
          finished.push(...now);
          const complete = heights.filter(({ replaced }) => replaced.hashes.every((hash) => gone.has(hash)));
          const reached = complete.filter(({ height }) => height <= place.height);
          expect(finished).toEqual(reached.flatMap(({ replaced, others }) => [replaced.seq, ...others]));
          expect(place.blockHash).toBe(`block ${place.height}`);
          expect(place.isComplete).toBe(finished.includes(BigInt(10 * place.height)));
        }
        expect(finished).toHaveLength(heights.flatMap(({ others }) => [1, ...others]).length);
      }),
    );
  });

  it('begin a height again when the progress is of another block', () => {
    const [height] = heightsOf([10]);
    const { step } = planStep([height!], { blockHash: 'another block', nodes: 4 }, most)!;
    expect(step.nodes).toHaveLength(10);
  });

  it('are none over no heights', () => expect(planStep([], undefined, most)).toBeUndefined());
});
