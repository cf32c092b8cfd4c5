import { compileError } from '../errors/compile-error.js';
import { positionBehind } from './position-behind.js';
import { commit, failed, named, optional, repeated, type Rule, sequence } from './rules.js';
import { type Expression, type ValueBranch } from './syntax-tree.js';
import { keyword, plain } from './tokens.js';

/** An `if` with a value: its keyword commits, and its `else` is required (protocol 06 §3.4, §3.5). */
export const ifExpressionRule = (expression: Rule<Expression>): Rule<Expression> => {
  const ifBranch: Rule<ValueBranch> = named(
    'ifBranchExpr',
    sequence([keyword('if'), commit, plain('('), expression, plain(')'), expression], ([, , , condition, , value]) => ({
      condition,
      value,
    })),
  );
  const elseIfBranches = repeated(
    named(
      'elseIfBranchExpr',
      sequence([keyword('else'), ifBranch], ([, branch]) => branch),
    ),
  );
  const elseBranch = optional(
    named(
      'elseBranchExpr',
      sequence([keyword('else'), expression], ([, value]) => value),
    ),
  );
  return named('ifelseExpr', (state) => {
    const start = state.skip();
    const first = ifBranch(state);
    if (first === failed) return failed;
    const others = elseIfBranches(state);
    if (others === failed) return failed;
    const branches = [first, ...others];
    const standsAt = positionBehind(state, branches.at(-1)!.value);
    const otherwise = elseBranch(state);
    if (otherwise === failed) return failed;
    if (otherwise === undefined) throw compileError('noElse', { start: standsAt, end: standsAt + 1 });
    return { kind: 'if', branches, otherwise, start, end: otherwise.end };
  });
};
