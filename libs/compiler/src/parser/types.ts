import { compileError } from '../errors/compile-error.js';
import { choice, later, type Rule, sequence } from './rules.js';
import { type TypeNode } from './syntax-tree.js';
import { count, plain, typeId } from './tokens.js';

/** `typeId / '[' type ';' count ']'` (protocol 06 §3.2). */
export const type: Rule<TypeNode> = choice(
  'type',
  sequence([typeId], ([{ text }], span): TypeNode => ({ kind: 'named', name: text, ...span })),
  sequence(
    [plain('['), later(() => nestedType), plain(';'), later(() => arraySize), plain(']')],
    ([, element, , { size, start, end }], span): TypeNode => ({
      kind: 'array',
      element,
      size,
      sizeSpan: { start, end },
      ...span,
    }),
  ),
);

const nestedType: Rule<TypeNode> = (state) => state.nested(type);

/** @throws CompileError for a negative size (protocol 06 §2.3) */
export const arraySize: typeof count = (state) => {
  const counted = count(state);
  if (typeof counted === 'symbol') return counted;
  if (counted.size < 0) throw compileError('invalidArraySize', counted, { size: counted.size });
  return counted;
};
