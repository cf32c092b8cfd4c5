import { type Span } from '../errors/span.js';
import { skipWhiteSpace } from '../lexer/white-space.js';
import { parseProject } from '../parser/index.js';
import { withinStack } from '../errors/within-stack.js';

export type DeclaredKind = 'contract' | 'script' | 'abstract contract' | 'interface' | 'struct';

/** A definition of a source file. */
export interface DeclaredEntity {
  readonly kind: DeclaredKind;
  readonly name: string;
  /** Of the name. */
  readonly span: Span;
}

/**
 * The definitions of one file of a project, in its order; none of a file with comments alone, which is no project (protocol
 * 06 §3.1).
 *
 * @throws CompileError of the syntax
 */
export const declaredEntities = (source: string): DeclaredEntity[] => {
  if (skipWhiteSpace(source, 0) === source.length) return [];
  return withinStack(() =>
    parseProject(source).map((entity) => ({
      kind: entity.kind === 'contract' && entity.isAbstract ? 'abstract contract' : entity.kind,
      name: entity.name.text,
      span: { start: entity.name.start, end: entity.name.end },
    })),
  );
};
