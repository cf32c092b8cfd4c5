import { describe, expect, it } from '@jest/globals';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { contractListing, debugText, type MethodListing, scriptListing } from '@shardnode/testing/compiled-code';
import { readVectorBytes, readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import {
  compileAssetScript,
  compileContract,
  compileProject,
  compileScript,
  type ContractResult,
  type ProjectResult,
  type ScriptResult,
} from '../index.js';

type Result = ContractResult | ScriptResult | ProjectResult;

interface Case {
  readonly source_file: string;
  readonly operation: string;
  readonly result: Result;
  /** Methods of the release code, by contract or script. */
  readonly listing: Readonly<Record<string, readonly MethodListing[]>>;
}

const operations: Readonly<Record<string, (source: string) => unknown>> = {
  'compile-contract': compileContract,
  'compile-script': compileScript,
  'compile-project': compileProject,
  'asset script (no HTTP operation)': (source) => {
    const { bytecodeTemplate, warnings } = compileAssetScript(source);
    return { bytecodeTemplate, warnings };
  },
};

/** `version` is that of the node; the library does not know it. */
const withoutVersion = (text: string): string => text.replaceAll(/"version":"[^"]*",/g, '');

/** The contracts and scripts of a result. */
const compiled = (result: Result): readonly (ContractResult | ScriptResult)[] =>
  'contracts' in result ? [...result.contracts, ...result.scripts] : [result];

const listingOf = (each: ContractResult | ScriptResult, operation: string): MethodListing[] =>
  'bytecode' in each
    ? contractListing(each.bytecode)
    : scriptListing(each.bytecodeTemplate, operation.startsWith('asset script') ? 'stateless' : 'stateful');

const files = ['compiler/expected.json', 'compiler/generated/expected.json'];

describe.each(files)('%s', (file) => {
  const { cases } = readVectors<{ readonly cases: readonly Case[] }>(file);
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const sourceOf = ({ source_file: name }: Case): string =>
    new TextDecoder().decode(readVectorBytes(`${folder}${name}`));
  const named = cases.map((each) => [`${each.source_file}, ${each.operation}`, each] as const);

  it('is claimed as a whole', () => {
    expect(sectionsClaimedBy(file, 'compiler')).toEqual(['cases']);
    expect(cases.length).toBe(file === 'compiler/expected.json' ? 86 : 80);
  });

  it.each(named)('%s: the whole result, keys in order', (_, each) => {
    const result = operations[each.operation]!(sourceOf(each));
    const expected = withoutVersion(JSON.stringify(each.result));
    // First as objects: a difference is shown where it is.
    expect(JSON.parse(JSON.stringify(result))).toEqual(JSON.parse(expected));
    expect(JSON.stringify(result)).toBe(expected);
  });

  it.each(named)('%s: its instructions', (_, each) => {
    const result = operations[each.operation]!(sourceOf(each)) as Result;
    const listings = compiled(result).map((one) => listingOf(one, each.operation));
    expect(listings).toEqual(Object.values(each.listing));
  });

  it.each(named)('%s: the patch makes the debug code', (_, each) => {
    const result = operations[each.operation]!(sourceOf(each)) as Result;
    for (const one of compiled(result)) {
      if (!('bytecode' in one)) continue;
      const debug = debugText(one.bytecode, one.bytecodeDebugPatch);
      expect(blake2bHash(hexToBytes(debug))).toBe(one.codeHashDebug);
      expect(blake2bHash(hexToBytes(one.bytecode))).toBe(one.codeHash);
    }
  });
});
