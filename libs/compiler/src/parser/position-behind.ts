import { skipWhiteSpace } from '../lexer/white-space.js';
import { type ParseState } from './rules.js';
import { type Expression } from './syntax-tree.js';

/**
 * Where the parser stands behind an expression: at the next token, unless its last comparison level has an operator
 * (protocol 06 §10.5).
 */
export const positionBehind = (state: ParseState, expression: Expression): number => {
  let last = expression;
  while (last.kind === 'binary' && (last.operator === '||' || last.operator === '&&')) last = last.right;
  const isComparison = last.kind === 'binary' && /^(?:[=!]=|[<>]=?)$/.test(last.operator);
  return isComparison ? state.position : skipWhiteSpace(state.text, state.position);
};
