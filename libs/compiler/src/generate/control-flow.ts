import { type Expression } from '../parser/syntax-tree.js';
import { type Code, expressionCode, type Generation, joinAll, joinCode, op } from './code.js';

export const jump = (by: number): Code => [op('Jump', by)];

/** Code that goes on where the condition holds, and jumps so far where it does not (protocol 06 §8.6). */
export const conditionCode = (generation: Generation, condition: Expression, by: number): Code =>
  condition.kind === 'not'
    ? joinCode(generation, expressionCode(generation, condition.operand), [op('IfTrue', by)])
    : joinCode(generation, expressionCode(generation, condition), [op('IfFalse', by)]);

interface Branch {
  readonly condition: Expression;
  readonly body: () => Code;
}

/** Code of an `if`, generated from the else part backwards, bodies before conditions (protocol 06 §8.6). */
export const branchesCode = (
  generation: Generation,
  branches: readonly Branch[],
  otherwise: (() => Code) | undefined,
): Code => {
  const last = otherwise?.() ?? [];
  const codes: Code[] = [last];
  let rest = last.length;
  for (const [index, { condition, body }] of [...branches.entries()].reverse()) {
    const isLast = index === branches.length - 1 && !otherwise;
    const inner = joinCode(generation, body(), isLast ? [] : jump(rest));
    const code = joinCode(generation, conditionCode(generation, condition, inner.length), inner);
    codes.push(code);
    rest += code.length;
  }
  return joinAll(generation, codes.reverse());
};
