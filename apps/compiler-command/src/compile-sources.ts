import {
  CompileError,
  compileProject,
  type DeclaredEntity,
  declaredEntities,
  type DeclaredKind,
  type ProjectResult,
} from '@shardnode/compiler';
import { type Problem, type Source } from './read-sources.js';

export interface CompiledSources {
  readonly result: ProjectResult;
  /** Of all sources, in the order in which they were compiled. */
  readonly declared: readonly Declared[];
}

export interface Declared extends DeclaredEntity {
  readonly source: Source;
}

/** The order in which the SDK joins sources: each at its first kind (protocol 07, appendix A). */
const kindOrder: readonly DeclaredKind[] = ['contract', 'script', 'abstract contract', 'interface', 'struct'];

const rankOf = ({ kind }: Declared): number => kindOrder.indexOf(kind);

/** An error without a place is shown at the definition that its message names, as in `function Withdraw.main`. */
const placedByName = (error: CompileError, declared: readonly Declared[]): Problem => {
  const named = declared.filter(({ name }) => new RegExp(`\\b${name}\\.`).test(error.message));
  if (named.length !== 1) return { source: undefined, error };
  return { source: named[0]!.source, error: error.movedTo(named[0]!.span) };
};

/** The error with its place in the file, of an error with its place in the joined sources. */
const placed = (error: CompileError, sources: readonly Source[], declared: readonly Declared[]): Problem => {
  const { span } = error;
  if (!span) return placedByName(error, declared);
  let start = 0;
  for (const source of sources) {
    const end = start + source.text.length;
    if (span.start <= end)
      return { source, error: error.movedTo({ start: span.start - start, end: span.end - start }) };
    start = end + 1;
  }
  return { source: undefined, error };
};

/** Runs a step; an error of the source is its problem. */
const problemOf = (run: () => void, problem: (error: CompileError) => Problem): Problem[] => {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof CompileError) return [problem(error)];
    throw error;
  }
};

/** Files with the same text count once, as in the SDK. */
const distinct = (sources: readonly Source[]): Source[] =>
  [...new Map([...sources].reverse().map((source) => [source.text, source])).values()].reverse();

/**
 * Compiles sources as one project. Each syntax error is reported in its file; of the other errors, the first.
 */
export const compileSources = (sources: readonly Source[]): CompiledSources | readonly Problem[] => {
  const declared: Declared[] = [];
  const syntaxProblems = distinct(sources).flatMap((source) =>
    problemOf(
      () => declared.push(...declaredEntities(source.text).map((entity) => ({ ...entity, source }))),
      (error) => ({ source, error }),
    ),
  );
  if (syntaxProblems.length > 0) return syntaxProblems;
  if (declared.length === 0) return { result: { contracts: [], scripts: [] }, declared };
  declared.sort((a, b) => rankOf(a) - rankOf(b));
  const joined = [...new Set(declared.map(({ source }) => source))];
  let result: ProjectResult | undefined;
  const problems = problemOf(
    () => (result = compileProject(joined.map(({ text }) => text).join('\n'))),
    (error) => placed(error, joined, declared),
  );
  return result ? { result, declared } : problems;
};
