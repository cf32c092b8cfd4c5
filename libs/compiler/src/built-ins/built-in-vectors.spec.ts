import { describe, expect, it } from '@jest/globals';
import { contractListing } from '@shardnode/testing/compiled-code';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { CompileError, compileAssetScript, compileContract } from '../index.js';
import { builtInFunctions, builtInNamed } from './table.js';

interface Case {
  readonly name: string;
  readonly signature: string;
  readonly argumentTypes: readonly string[];
  readonly usableInAssetScript: boolean;
  readonly needsApproveBraces: boolean;
  readonly instructionsAfterArguments: readonly string[];
  readonly code: string;
  readonly bytecode: string;
}

const file = 'compiler/builtins.json';
const { cases } = readVectors<{ readonly cases: readonly Case[] }>(file);
const named = cases.map((each) => [`${each.name}!(${each.argumentTypes.join(', ')})`, each] as const);

describe(file, () => {
  it('is claimed as a whole, and names each function of the table', () => {
    expect(sectionsClaimedBy(file, 'compiler')).toEqual(['cases']);
    expect(cases.length).toBe(108);
    expect([...new Set(cases.map(({ name }) => name))].sort()).toEqual(builtInFunctions.map(({ name }) => name).sort());
  });

  it.each(named)('%s compiles to the same bytes', (_, { code, bytecode, instructionsAfterArguments: wanted }) => {
    const compiled = compileContract(code).bytecode;
    expect(compiled).toBe(bytecode);
    // The function stands alone in the code: what follows it is the return or the end.
    const { instrs } = contractListing(compiled)[0]!;
    const body = instrs.at(-1) === 'Return' ? instrs.slice(0, -1) : instrs;
    expect(wanted.length === 0 ? [] : body.slice(-wanted.length)).toEqual(wanted);
  });

  it.each(named)('%s is in the table as the vector says', (_, each) => {
    const row = builtInNamed(each.name)!;
    expect(row.signature).toBe(each.signature);
    expect(row.everywhere).toBe(each.usableInAssetScript);
    expect(row.needsBraces).toBe(each.needsApproveBraces);
    if (row.special === 'encodeToByteVec') return;
    const types = each.argumentTypes.map((type) => (type === 'T' ? 'Contract' : type));
    expect(row.overloads.map(({ parameters }) => parameters)).toContainEqual(types);
  });

  it.each(builtInFunctions.map((each) => [each.name, each] as const))(
    '%s is known to asset scripts only if it is usable there',
    (name, { everywhere }) => {
      // With a hundred arguments no overload fits, so a known function is refused for its arguments.
      const source = `AssetScript S { pub fn f() -> () { let _ = ${name}!(${Array(100).fill('1').join(', ')}) } }`;
      const unknown = `Built-in function ${name} does not exist`;
      try {
        compileAssetScript(source);
        expect(everywhere).toBe(true);
      } catch (error) {
        if (!(error instanceof CompileError)) throw error;
        expect(error.message === unknown).toBe(!everywhere);
      }
    },
  );

  it('braces are required where the table says so, and refused elsewhere', () => {
    for (const { code, needsApproveBraces: needs, name } of cases) {
      const changed = needs
        ? code.replace(new RegExp(`${name}!\\{[^}]*\\}`), `${name}!`)
        : code.replace(`${name}!(`, `${name}!{callerAddress!() -> ALPH: 1}(`);
      expect(changed).not.toBe(code);
      const text = needs
        ? `Function \`${name}\` needs preapproved assets, please use braces syntax`
        : `Function \`${name}\` does not use preapproved assets`;
      expect(() => compileContract(changed)).toThrow(new CompileError({ message: text }));
    }
  });
});
