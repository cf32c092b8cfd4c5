import { describe, expect, it } from '@jest/globals';
import { type MethodListing, scriptListing } from '@shardnode/testing/compiled-code';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { compileScript } from '../index.js';

interface Case {
  readonly name: string;
  readonly script: string;
  readonly bytecode: string;
  readonly listing: readonly MethodListing[];
}

const file = 'compiler/deploy-scripts.json';
const { cases } = readVectors<{ readonly cases: readonly Case[] }>(file);

describe(file, () => {
  it('is claimed as a whole', () => {
    expect(sectionsClaimedBy(file, 'compiler')).toEqual(['cases']);
    expect(cases.length).toBe(4);
  });

  it.each(cases.map((each) => [each.name, each] as const))('%s', (_, { script, bytecode, listing }) => {
    const { bytecodeTemplate, bytecodeDebugPatch } = compileScript(script);
    expect(bytecodeTemplate).toBe(bytecode);
    expect(scriptListing(bytecodeTemplate, 'stateful')).toEqual(listing);
    // The node takes the debug code (protocol 06 §10.7).
    expect(bytecodeDebugPatch).toBe('');
  });
});
