import { describe, expect, it } from '@jest/globals';
import { contractListing, type MethodListing, scriptListing } from '@shardnode/testing/compiled-code';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { CompileError, compileContract, compileScript, formatError } from '../index.js';

type Case = {
  readonly name: string;
  readonly operation: 'compile-contract' | 'compile-script';
  readonly code: string;
} & (
  | { readonly accepted: true; readonly bytecode: string; readonly listing: readonly MethodListing[] }
  | { readonly accepted: false; readonly errorTitleAndPosition: string; readonly message: string }
);

const file = 'compiler/grammar.json';
const { cases } = readVectors<{ readonly cases: readonly Case[] }>(file);

const codeOf = ({ operation, code }: Case): string =>
  operation === 'compile-script' ? compileScript(code).bytecodeTemplate : compileContract(code).bytecode;

const refusalOf = (each: Case): { title: string; message: string } => {
  try {
    return { title: 'accepted', message: codeOf(each) };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { title: formatError(each.code, error).split('\n')[0]!, message: error.message };
  }
};

describe(file, () => {
  it('is claimed as a whole', () => {
    expect(sectionsClaimedBy(file, 'compiler')).toEqual(['cases']);
    expect(cases.length).toBe(89);
  });

  it.each(cases.map((each) => [each.name, each] as const))('%s', (_, each) => {
    if (!each.accepted) {
      expect(refusalOf(each)).toEqual({ title: each.errorTitleAndPosition, message: each.message });
      return;
    }
    const code = codeOf(each);
    expect(code).toBe(each.bytecode);
    const listing = each.operation === 'compile-script' ? scriptListing(code, 'stateful') : contractListing(code);
    expect(listing).toEqual(each.listing);
  });
});
