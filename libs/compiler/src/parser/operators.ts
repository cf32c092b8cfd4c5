import { isOneOf } from '../lexer/names.js';
import { skipWhiteSpace } from '../lexer/white-space.js';
import { failed, type ParseState, type Rule } from './rules.js';
import { type BinaryOperator, type Expression } from './syntax-tree.js';

/** The text of an operator and what it stands for: some have a second form. */
type Operators = readonly (readonly [string, BinaryOperator])[];

interface Level {
  /** Of the chain of operands, as a trace shows it, outermost first. */
  readonly names: readonly string[];
  /** In the order in which they are tried. */
  readonly operators: Operators;
}

const comparison: Level = {
  names: ['relationExpr'],
  operators: [
    ['==', '=='],
    ['!=', '!='],
    ['<=', '<='],
    ['<', '<'],
    ['>=', '>='],
    ['>', '>'],
  ],
};

/** The levels of operators, the tightest first (protocol 06 §3.4). */
const levels: readonly Level[] = [
  {
    names: ['arithExpr0', 'chain'],
    operators: [
      ['**', '**'],
      ['|**|', '|**|'],
    ],
  },
  {
    names: ['arithExpr1', 'chain'],
    operators: [
      ['*', '*'],
      ['/', '/'],
      ['%', '%'],
      ['⊗', '|*|'],
      ['|*|', '|*|'],
    ],
  },
  {
    names: ['arithExpr2', 'chain'],
    operators: [
      ['++', '++'],
      ['+', '+'],
      ['-', '-'],
      ['⊕', '|+|'],
      ['|+|', '|+|'],
      ['⊖', '|-|'],
      ['|-|', '|-|'],
    ],
  },
  {
    names: ['arithExpr3', 'chain'],
    operators: [
      ['<<', '<<'],
      ['>>', '>>'],
    ],
  },
  { names: ['arithExpr4', 'chain'], operators: [['&', '&']] },
  { names: ['arithExpr5', 'chain'], operators: [['^', '^']] },
  { names: ['arithExpr6', 'chain'], operators: [['|', '|']] },
  comparison,
  { names: ['andExpr', 'chain'], operators: [['&&', '&&']] },
  { names: ['expr', 'chain'], operators: [['||', '||']] },
];
const loosest = levels.length - 1;

const beginsOperator = levels.map(({ operators }) => isOneOf(operators.map(([text]) => text[0]).join('')));

/** The operator of a level at the next token; moves behind it. */
const readOperator = (state: ParseState, level: number): BinaryOperator | undefined => {
  const at = skipWhiteSpace(state.text, state.position);
  if (!beginsOperator[level]!(state.text.charCodeAt(at))) return undefined;
  for (const [text, operator] of levels[level]!.operators) {
    if (!state.text.startsWith(text, at)) continue;
    state.position = at + text.length;
    return operator;
  }
  return undefined;
};

const binary = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
  kind: 'binary',
  operator,
  left,
  right,
  start: left.start,
  end: right.end,
});

/** Names the levels that are open from one on, the innermost first. */
const traceLevels = (state: ParseState, from: number, to: number, at: number): void => {
  if (!state.isTracing) return;
  for (const { names } of levels.slice(from, to + 1)) {
    for (const rule of names.toReversed()) state.trace.push({ rule, at });
  }
};

/**
 * All binary operators around an operand. Each level is `operand ( operator operand )*` of the level before it, from the left;
 * a comparison does not chain, and once its operator is there, the right operand must follow (protocol 06 §3.4).
 * One function walks through the levels, so that brackets in each other take little of the stack.
 */
export const operatorChains = (operand: Rule<Expression>): Rule<Expression> => {
  const upTo =
    (last: number): Rule<Expression> =>
    (state) => {
      const start = skipWhiteSpace(state.text, state.position);
      let left = operand(state);
      if (left === failed) {
        traceLevels(state, 0, last, start);
        return failed;
      }
      for (let level = 0; level <= last; level++) {
        const isComparison = levels[level] === comparison;
        const wasCommitted = state.isCommitted;
        for (;;) {
          const before = state.position;
          const operator = readOperator(state, level);
          if (operator === undefined) break;
          if (!isComparison) state.isCommitted = false;
          const right = below[level]!(state);
          if (right === failed) {
            if (isComparison || state.isCommitted) {
              traceLevels(state, isComparison ? level + 1 : level, last, start);
              return failed;
            }
            state.position = before;
            state.isCommitted = wasCommitted;
            break;
          }
          if (!isComparison) state.isCommitted ||= wasCommitted;
          left = binary(operator, left, right);
          if (isComparison) break;
        }
      }
      return left;
    };
  /** The operand behind an operator of each level: everything that binds more tightly. */
  const below = levels.map((_, level) => upTo(level - 1));
  return upTo(loosest);
};
