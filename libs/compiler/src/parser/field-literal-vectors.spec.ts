import { describe, expect, it } from '@jest/globals';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { CompileError, parseFieldLiterals } from '../index.js';
import { valueForm } from '../results/forms.js';

type Case = { readonly text: string } & (
  | { readonly accepted: true; readonly values: readonly { readonly type: string; readonly value: string | boolean }[] }
  | { readonly accepted: false; readonly message: string }
);

const file = 'compiler/state-literals.json';
const { cases } = readVectors<{ readonly cases: readonly Case[] }>(file);

describe(file, () => {
  it('is claimed as a whole', () => {
    expect(sectionsClaimedBy(file, 'compiler')).toEqual(['cases']);
    expect(cases.length).toBe(9);
  });

  it.each(cases.map((each) => [each.text, each] as const))('%s', (text, each) => {
    if (each.accepted) expect(parseFieldLiterals(text).map(valueForm)).toEqual(each.values);
    else expect(() => parseFieldLiterals(text)).toThrow(new CompileError({ message: each.message }));
  });
});
