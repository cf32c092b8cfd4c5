import { describe, expect, it } from '@jest/globals';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { contractListing, debugText, scriptListing } from '@shardnode/testing/compiled-code';
import { readVectors, sectionsClaimedBy, vectorOrigin } from '@shardnode/testing/vectors';

type Case = { readonly file: string; readonly name: string; readonly bytecodeDebugPatch?: string } & (
  | { readonly bytecode: string; readonly codeHash: string; readonly codeHashDebug: string }
  | { readonly bytecodeTemplate: string }
);

const file = 'compiler/public-resources.json';
const { cases = [] } = readVectors<{ readonly cases?: readonly Case[] }>(file);

/** Results of sources that neither the repository nor the whole set has: nothing is compiled, code and hashes must agree. */
const withoutSource = 11;

describe(file, () => {
  it('has results without sources, in the whole set only', () => {
    expect(sectionsClaimedBy(file, 'compiler')).toEqual(['cases']);
    expect(cases.length).toBe(vectorOrigin === 'original' ? withoutSource : 0);
  });

  it('has code that survives decoding and encoding, and hashes of it', () => {
    for (const each of cases) {
      if (!('bytecode' in each)) {
        expect(scriptListing(each.bytecodeTemplate, 'stateful').length).toBeGreaterThan(0);
        continue;
      }
      expect(contractListing(each.bytecode).length).toBeGreaterThan(0);
      const debug = debugText(each.bytecode, each.bytecodeDebugPatch ?? '');
      expect([each.bytecode, debug].map((hex) => blake2bHash(hexToBytes(hex)))).toEqual([
        each.codeHash,
        each.codeHashDebug,
      ]);
    }
  });
});
