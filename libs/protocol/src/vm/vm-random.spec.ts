import { describe, expect, it } from '@jest/globals';
import { readRunVectors, runDifferences } from '@shardnode/testing/vm';

const { defaults, cases } = readRunVectors('vm-random.json');
/** Programs in one test: small enough that a difference can be read. */
const chunkLength = 50;
const chunks = Array.from({ length: Math.ceil(cases.length / chunkLength) }, (_, i) => i * chunkLength);

describe('vm-random.json', () => {
  it('holds all programs', () => expect(cases).toHaveLength(2650));

  it.each(chunks)(`${chunkLength} programs from %i on`, (start) => {
    expect(runDifferences(cases.slice(start, start + chunkLength), defaults)).toEqual([]);
  });
});
