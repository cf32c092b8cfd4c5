import { describe, expect, it } from '@jest/globals';
import { matrixDifferences, readRunVectors, runDifferences } from '@shardnode/testing/vm';

const { defaults, cases, matrix = {} } = readRunVectors('vm-instructions.json');
const instructions = [...new Set(cases.map(({ op }) => op))];

describe('vm-instructions.json', () => {
  it.each(instructions)('%s', (instruction) => {
    const vectors = cases.filter(({ op }) => op === instruction);
    expect(runDifferences(vectors, defaults)).toEqual([]);
  });
});

describe('the matrix of vm-instructions.json', () => {
  it.each(Object.entries(matrix))('%s', (instruction, rows) => {
    expect(rows.cases.length).toBeGreaterThan(90);
    expect(matrixDifferences(instruction, rows, defaults)).toEqual([]);
  });
});
