import {
  compileAssetScript,
  compileContract,
  CompileError,
  compileProject,
  compileScript,
  parseFieldLiterals,
  type RuleName,
} from '@shardnode/compiler';
import { hostileSources, type HostileSource, nestedSources } from '../hostile-sources/index.js';
import { readVectors } from '../vectors/index.js';

/** A source with the operation that compiles it. */
export type RuleSource = Pick<HostileSource, 'operation' | 'source'>;

const operations: Readonly<Record<RuleSource['operation'], (source: string) => unknown>> = {
  script: compileScript,
  contract: compileContract,
  project: compileProject,
  'asset script': compileAssetScript,
  'field literals': parseFieldLiterals,
};

/** The error of a source; undefined: it compiles. */
export const compileErrorOf = ({ operation, source }: RuleSource): CompileError | undefined => {
  try {
    operations[operation](source);
    return undefined;
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
};

const body = (statement: string): RuleSource => ({
  operation: 'contract',
  source: `Contract A() { pub fn f() -> () { ${statement} } }`,
});

const hostile = (name: string): RuleSource => [...nestedSources, ...hostileSources].find((each) => each.name === name)!;

/** Sources for the rules that no source of the vectors breaks, or long ones only. */
export const ownSources: { readonly [Rule in RuleName]?: RuleSource } = {
  whileConditionNotBool: body('while (1) { return }'),
  conversionOfOther: body('let a = A(1)'),
  differentElements: body('let a = [1, true]'),
  notContract: body('let a = 1 a.f()'),
  approvalOfOther: body('f{1 -> ALPH: 1}()'),
  invalidApproval: body('f{callerAddress!() -> 1: 1}()'),
  noEquality: body('let a = panic!() == panic!()'),
  mapAssigned: { operation: 'contract', source: 'Contract A() { mapping[U256, U256] m pub fn f() -> () { m = m } }' },
  indexNoInteger: body('let a = [1, 2][5000000000]'),
  structFieldLeftOut: {
    operation: 'contract',
    source: 'struct S { a: U256, b: U256 } Contract A() { pub fn f() -> () { let s = S { a: 1, a: 2 } } }',
  },
  noMethod: { operation: 'asset script', source: 'AssetScript A { fn f() -> () { return } }' },
  bytesOverflow: hostile('concatenations that double'),
  nestingTooDeep: hostile('250 parentheses'),
  tooManyInstructions: hostile('copies of a large field'),
  tooManyMembers: hostile('children of a parent with many constants'),
  resultTooLong: hostile('children of a function with a long name'),
};

interface Case {
  readonly operation: `compile-${'script' | 'contract' | 'project'}`;
  readonly code: string;
}

/** Sources of the vectors, rejected ones and those of the grammar that are accepted. */
const vectorSources = (): RuleSource[] => {
  const files = ['errors', 'generated/errors', 'grammar'];
  const sources = files.flatMap(
    (name) => readVectors<{ readonly cases: readonly Case[] }>(`compiler/${name}.json`).cases,
  );
  const literals = readVectors<{ readonly cases: readonly { readonly text: string }[] }>(
    'compiler/state-literals.json',
  );
  return [
    ...sources.map(({ operation, code }) => ({
      operation: operation.slice('compile-'.length) as RuleSource['operation'],
      source: code,
    })),
    ...literals.cases.map(({ text }) => ({ operation: 'field literals' as const, source: text })),
  ];
};

/** The errors of sources by the rule that they break; errors of the grammar are left out. */
const byRule = (sources: readonly RuleSource[]): ReadonlyMap<RuleName, readonly BrokenRule[]> => {
  const found = new Map<RuleName, BrokenRule[]>();
  for (const source of sources) {
    const error = compileErrorOf(source);
    if (!error?.rule) continue;
    const known = found.get(error.rule) ?? [];
    found.set(error.rule, [...known, { ...source, error }]);
  }
  return found;
};

export interface BrokenRule extends RuleSource {
  readonly error: CompileError;
}

/** Rules that the sources of the vectors break. */
export const rulesOfVectors = (): ReadonlyMap<RuleName, readonly BrokenRule[]> => byRule(vectorSources());

/** Rules that they and the own sources break. */
export const brokenRules = (): ReadonlyMap<RuleName, readonly BrokenRule[]> =>
  byRule([...vectorSources(), ...Object.values(ownSources)]);

export { grammarHintSources, ruleHintSources } from './hint-sources.js';
