import { describe, expect, it } from '@jest/globals';
import { readRunVectors, runDifferences } from '@shardnode/testing/vm';

const { defaults, cases } = readRunVectors('vm-random.json');
/** Every program runs; at its exact gas and one below each tenth, all of them in the full length. */
const atTheLimit = (start: number): boolean => process.env.LONG === '1' || start % 500 === 0;
/** Programs in one test: small enough that a difference can be read. */
const chunkLength = 50;
const chunks = Array.from({ length: Math.ceil(cases.length / chunkLength) }, (_, i) => i * chunkLength);

describe('vm-random.json', () => {
  it('holds all programs', () => expect(cases).toHaveLength(2650));

  it.each(chunks)(`${chunkLength} programs from %i on`, (start) => {
    const programs = cases.slice(start, start + chunkLength);
    expect(runDifferences(programs, defaults, { atTheLimit: atTheLimit(start) })).toEqual([]);
  });
});
