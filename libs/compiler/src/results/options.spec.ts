import { describe, expect, it } from '@jest/globals';
import {
  compileContract,
  compileProject,
  compileScript,
  compilerOptionNames,
  type CompileSettings,
  type CompilerOptions,
} from '../index.js';

/** Every warning that a contract can have (protocol 06 §11.3), W1 to W11, with its number. */
const source = `
struct Point { x: U256 }
Contract Many(mut point: Point, unusedField: U256, mut count: U256) {
  mapping[U256, U256] unusedMap
  const Unused = 1
  enum Codes { Never = 7 }
  fn twice(a: U256) -> U256 { return a + a }
  pub fn plain(unusedLocal: U256) -> () { twice(point.x) }
  @using(checkExternalCaller = false)
  fn named() -> () { return }
  fn unusedPrivate() -> () { named() }
  pub fn updates() -> () { count = 1 }
  @using(updateFields = true)
  pub fn updatesNothing() -> () { return }
}
`;

const warningNumbers: readonly (readonly [number, RegExp])[] = [
  [1, /^The struct Point is immutable, you can remove the `mut` from Many\.point$/],
  [2, /^Found unused variables in Many: plain\.unusedLocal$/],
  [3, /^Found unused maps in Many: unusedMap$/],
  [4, /^Found unused constants in Many: Codes\.Never, Unused$/],
  [5, /^Found unused fields in Many: unusedField$/],
  [6, /^The return values of the function "Many\.twice" are not used/],
  [7, /^No need to add the checkExternalCaller annotation to the private function "Many\.named"$/],
  [8, /^Private function "Many\.unusedPrivate" is not used$/],
  [9, /^Function "Many\.updates" updates fields\./],
  [10, /^Function "Many\.updatesNothing" does not update fields\./],
  [11, /^No external caller check for function "Many\.updatesNothing"\./],
];

const numbersOf = (warnings: readonly string[]): number[] =>
  warnings.map((text) => warningNumbers.find(([, pattern]) => pattern.test(text))?.[0] ?? Number.NaN);

const suppressed: Readonly<Record<keyof CompilerOptions, readonly number[]>> = {
  ignoreUnusedConstantsWarnings: [4],
  ignoreUnusedVariablesWarnings: [2, 3],
  ignoreUnusedFieldsWarnings: [5],
  ignoreUnusedPrivateFunctionsWarnings: [8],
  ignoreUpdateFieldsCheckWarnings: [9, 10],
  ignoreCheckExternalCallerWarnings: [7, 11],
};

const inOrder = [1, 6, 2, 3, 4, 5, 7, 11, 8, 9, 10];

describe('options', () => {
  it('without any, all warnings are given, in the order of the document', () => {
    expect(numbersOf(compileContract(source).warnings)).toEqual(inOrder);
  });

  it.each(compilerOptionNames)('%s suppresses what it says, and nothing else', (name) => {
    const { warnings } = compileContract(source, { [name]: true });
    expect(numbersOf(warnings)).toEqual(inOrder.filter((each) => !suppressed[name].includes(each)));
  });

  it('all together leave W1 and W6', () => {
    const all = Object.fromEntries(compilerOptionNames.map((name) => [name, true]));
    expect(numbersOf(compileContract(source, all).warnings)).toEqual([1, 6]);
  });

  it('that are false are as if not given', () => {
    const none = Object.fromEntries(compilerOptionNames.map((name) => [name, false]));
    expect(compileContract(source, none)).toEqual(compileContract(source));
  });

  describe('a private function of an abstract contract', () => {
    const parent = 'Abstract Contract P() { fn g() -> () { return } fn h() -> () { return } fn i() -> () { i() } }';
    const child = (name: string, call: string): string =>
      `Contract ${name}() extends P() { fn own() -> () { return } pub fn f() -> () { ${call} } }`;
    const script = 'TxScript S { t() fn t() -> () { return } fn u() -> () { return } }';
    const source = [parent, child('A', 'return'), child('B', 'h()'), script].join('\n');
    const warningsOf = (settings: CompileSettings): readonly (readonly string[])[] => {
      const { contracts, scripts } = compileProject(source, settings);
      return [...contracts, ...scripts].map(({ warnings }) => warnings.filter((text) => text.startsWith('Private')));
    };
    const unused = (name: string): string => `Private function "${name}" is not used`;

    it('is warned about by each child that does not call it', () => {
      expect(warningsOf({})).toEqual([
        ['A.g', 'A.h', 'A.own'].map(unused),
        ['B.g', 'B.own'].map(unused),
        [unused('S.u')],
      ]);
    });

    it('or once, by the contract that has it, if no child calls it', () => {
      expect(warningsOf({ warnsOncePerFunction: true })).toEqual([
        ['P.g', 'A.own'].map(unused),
        [unused('B.own')],
        [unused('S.u')],
      ]);
      expect(warningsOf({ warnsOncePerFunction: true, ignoreUnusedPrivateFunctionsWarnings: true }).flat()).toEqual([]);
    });

    it('is called by a child that is not the contract that is compiled', () => {
      const { warnings } = compileContract([child('A', 'return'), child('B', 'h()'), parent].join('\n'), {
        warnsOncePerFunction: true,
      });
      expect(warnings.filter((text) => text.includes('P.'))).toEqual([unused('P.g')]);
    });
  });

  it('never change anything but warnings, in any operation', () => {
    const all = Object.fromEntries(compilerOptionNames.map((name) => [name, true]));
    const script = `TxScript Run(unused: U256) { let a = 1 }\n${source}`;
    const withoutWarnings = (result: unknown): string =>
      JSON.stringify(result, (key, value: unknown) => (key === 'warnings' ? undefined : value));
    for (const compile of [compileScript, compileProject]) {
      const [plain, quiet] = [compile(script), compile(script, all)];
      expect(withoutWarnings(quiet)).toBe(withoutWarnings(plain));
      expect(JSON.stringify(quiet)).not.toBe(JSON.stringify(plain));
    }
  });
});
