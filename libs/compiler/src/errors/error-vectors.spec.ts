import { describe, expect, it } from '@jest/globals';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { CompileError, compileContract, compileProject, compileScript, formatError } from '../index.js';

interface Case {
  readonly name: string;
  readonly operation: 'compile-contract' | 'compile-script' | 'compile-project';
  readonly code: string;
  /** What a client sees. Operators that the reference shows as an address in memory are written `<operator>`. */
  readonly error: string;
}

const operations = {
  'compile-contract': compileContract,
  'compile-script': compileScript,
  'compile-project': compileProject,
};

const errorOf = ({ operation, code }: Case): string => {
  try {
    operations[operation](code);
  } catch (error) {
    if (error instanceof CompileError) return formatError(code, error);
    throw error;
  }
  return 'accepted';
};

const counts = { 'compiler/errors.json': 332, 'compiler/generated/errors.json': 120 };

describe.each(Object.entries(counts))('%s', (file, count) => {
  const { cases } = readVectors<{ readonly cases: readonly Case[] }>(file);

  it('is claimed as a whole', () => {
    expect(sectionsClaimedBy(file, 'compiler')).toEqual(['cases']);
    expect(cases.length).toBe(count);
  });

  it.each(cases.map((each) => [each.name, each] as const))('%s', (_, each) => {
    expect(errorOf(each)).toBe(each.error);
  });
});

describe('operators in syntax trees', () => {
  const { cases } = readVectors<{ readonly cases: readonly Case[] }>('compiler/errors.json');
  const shown = cases.filter(({ error }) => error.includes('Binop(<operator>,'));

  it('are shown as <operator> where the reference has an address', () => {
    expect(shown.length).toBeGreaterThan(0);
    for (const each of shown) expect(errorOf(each)).toContain('Binop(<operator>,');
  });
});
