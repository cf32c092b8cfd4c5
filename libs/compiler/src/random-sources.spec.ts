import { describe, expect, it } from '@jest/globals';
import { djb } from '@shardnode/protocol/crypto';
import { instructionText } from '@shardnode/testing/vm';
import { compiledContract, debugText } from '@shardnode/testing/compiled-code';
import { runCompilerFuzz } from '@shardnode/testing/compiler-fuzz';
import { fc } from '@shardnode/testing/properties';
import {
  CompileError,
  compileAssetScript,
  compileContract,
  compileProject,
  compileScript,
  formatError,
  parseFieldLiterals,
} from './index.js';
import { parseProject } from './parser/index.js';
import { methodSelector } from './project/selectors.js';
import { DebugPatches } from './results/debug-patch.js';
import { TypeTable } from './types/type-table.js';

/** Further ones: `npm run fuzz:compiler`, and tools/fuzz-compiler. */
const seed = 20_261_125;
const count = 2_000;

describe('random programs and changed sources of the vectors', () => {
  it(`compile twice to the same code, which survives decoding and encoding, or have an error: ${count}`, () => {
    expect(runCompilerFuzz({ seed, from: 0, count }).violations).toEqual([]);
  });
});

const operations = [compileContract, compileScript, compileProject, compileAssetScript, parseFieldLiterals];

const endsWell = (source: string): void => {
  for (const compile of operations) {
    try {
      compile(source);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      expect(formatError(source, error)).toMatch(/^-- error \(\d+:\d+\): (?:Compilation|Syntax|Type) error\n/);
    }
  }
};

describe('any text', () => {
  it('has a result or an error', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), endsWell), { numRuns: 2_000, seed });
  });

  it('has a result or an error where an expression, a statement or a type stands', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab1Ax0_ \n\r`$"#@!-=><+*/|&^%.,;:(){}[]⊕é'), maxLength: 30 });
    const places = [
      (text: string) => `Contract A(x: U256) { pub fn f() -> U256 { return ${text} } }`,
      (text: string) => `TxScript S { ${text} }`,
      (text: string) => `Contract A(x: ${text}) { pub fn f() -> () { emit Debug(\`${text}\`) } }`,
      (text: string) => `Interface I { ${text} pub fn f() -> () }`,
    ];
    fc.assert(
      fc.property(text, fc.constantFrom(...places), (own, place) => endsWell(place(own))),
      { numRuns: 3_000, seed },
    );
  });
});

const firstConstant = (source: string): string =>
  instructionText(compiledContract(compileContract(source).bytecode).methods[0]!.instructions[1]!);

describe('numbers', () => {
  const returned = (type: string, literal: string): string =>
    firstConstant(`Contract A() { pub fn f() -> ${type} { return ${literal} } }`);
  const wanted = (type: string, value: bigint): string => {
    const isShort = value <= 5n && value >= (type === 'I256' ? -1n : 0n);
    return isShort ? `${type}Const${value < 0n ? 'N1' : value}` : `${type}Const ${value}`;
  };

  it('are the constants that they are written as', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.bigInt(-(2n ** 255n), 2n ** 255n - 1n), (u256, i256) => {
        expect(returned('U256', `${u256}`)).toBe(wanted('U256', u256));
        expect(returned('U256', `0x${u256.toString(16)}`)).toBe(wanted('U256', u256));
        expect(returned('I256', `${i256}i`)).toBe(wanted('I256', i256));
      }),
      { numRuns: 300, seed },
    );
  });

  it('may have underscores, a fraction and an exponent if they are whole', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 30n),
        fc.integer({ min: 0, max: 29 }),
        fc.integer({ min: 0, max: 17 }),
        (value, at, up) => {
          const digits = `${value}`.padStart(31, '0');
          const text = `${digits.slice(0, 31 - at)}_.${digits.slice(31 - at) || '0'}e${at + up}`;
          expect(returned('U256', text)).toBe(wanted('U256', value * 10n ** BigInt(up)));
        },
      ),
      { numRuns: 300, seed },
    );
  });
});

describe('patches', () => {
  const code = fc
    .array(fc.constantFrom('d3', '7e0102', '16', '00', 'a0', '0c'), { maxLength: 60 })
    .map((parts) => parts.join(''));

  it('make the debug text of any release text', () => {
    fc.assert(
      fc.property(code, code, (release, debug) => {
        expect(debugText(release, new DebugPatches().patch(release, debug))).toBe(debug);
      }),
      { numRuns: 1_000, seed },
    );
  });

  it('tell apart what differs in long texts that are almost the same', () => {
    const code = '7e0102d3'.repeat(2_000);
    const debug = `${code}1616${code}0c0c${code}`;
    const length = code.length;
    expect(new DebugPatches().patch(code.repeat(3), debug)).toBe(`=${length}+1616=${length}+0c0c=${length}`);
  });

  it('are one piece in place of another where an operation has made enough of them', () => {
    fc.assert(
      fc.property(code, code, (release, debug) => {
        const patches = new DebugPatches();
        patches.patch('', 'ab'.repeat(10_000));
        const patch = patches.patch(release, debug);
        expect(debugText(release, patch)).toBe(debug);
        expect(patch).toMatch(/^(?:=\d+)?(?:-\d+)?(?:\+[0-9a-f]+)?(?:=\d+)?$/);
      }),
      { numRuns: 1_000, seed },
    );
  });
});

describe('selectors', () => {
  const structs = 'struct S { a: U256, b: [Bool; 2], c: E } struct E { a: [U256; 0] }';
  const flat: Readonly<Record<string, readonly string[]>> = {
    U256: ['U256'],
    Bool: ['Bool'],
    Other: ['ByteVec'],
    E: [],
    S: ['U256', 'Bool', 'Bool'],
  };
  const type = fc.letrec<{ type: { text: string; slots: readonly string[] } }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...Object.keys(flat)).map((text) => ({ text, slots: flat[text]! })),
      fc.record({ element: tie('type'), size: fc.integer({ min: 0, max: 5 }) }).map(({ element, size }) => ({
        text: `[${element.text}; ${size}]`,
        slots: Array.from({ length: size }, () => element.slots).flat(),
      })),
    ),
  })).type;

  it('are the hash of the flattened text', () => {
    fc.assert(
      fc.property(fc.array(type, { maxLength: 4 }), fc.array(type, { maxLength: 3 }), (parameters, results) => {
        const written = parameters.map(({ text }, i) => `a${i}: ${text}`).join(', ');
        const source = `${structs} Abstract Contract A() { pub fn name(${written}) -> (${results.map(({ text }) => text).join(', ')}) }`;
        const entities = parseProject(source);
        const nodes = new Map(entities.flatMap((each) => (each.kind === 'struct' ? [[each.name.text, each]] : [])));
        const contract = entities.find((each) => each.kind === 'contract')!;
        const slots = (list: readonly { slots: readonly string[] }[]): string =>
          list.flatMap((each) => each.slots).join(',');
        const text = `name(${slots(parameters)})->(${slots(results)})`;
        expect(methodSelector(new TypeTable(nodes), contract.functions[0]!)).toBe(djb(new TextEncoder().encode(text)));
      }),
      { numRuns: 500, seed },
    );
  });
});
