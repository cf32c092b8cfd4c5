import { describe, expect, it } from '@jest/globals';
import { readRunVectors, runDifferences } from '@shardnode/testing/vm';

const { defaults, cases } = readRunVectors('vm-instructions-2.json');
const instructions = [...new Set(cases.map(({ op }) => op))];

describe('vm-instructions-2.json', () => {
  it.each(instructions)('%s', (instruction) => {
    const vectors = cases.filter(({ op }) => op === instruction);
    expect(runDifferences(vectors, defaults)).toEqual([]);
  });
});
