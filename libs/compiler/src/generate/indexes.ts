import { type Val } from '@shardnode/protocol/script';
import { compileError, CompileError } from '../errors/compile-error.js';
import { constantOperation } from '../checks/constants.js';
import { operatorTable } from '../checks/operators.js';
import { leftSpine } from '../parser/left-spine.js';
import { type Expression, type ExpressionOf } from '../parser/syntax-tree.js';
import { treeText } from '../parser/tree-text.js';

const arithmetic: ReadonlySet<string> = new Set(['arithmetic', 'power', 'u256 only']);

/** The value of an operation on two literals. @throws CompileError for an overflow */
const foldedStep = (node: ExpressionOf<'binary'>, a: bigint, b: bigint, whole: Expression): bigint => {
  const [left, right] = [a, b].map((value): Val => ({ type: 'U256', value }));
  try {
    return constantOperation(node.operator, left!, right!, whole).value as bigint;
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    throw compileError('invalidIndex', whole, { index: treeText(whole) });
  }
};

/** The literal that an index folds to, from the inside; undefined: it is computed at run time (protocol 06 §6.8). */
const folded = (node: Expression, whole: Expression): bigint | undefined => {
  if (node.kind === 'literal') return node.value.type === 'U256' ? node.value.value : undefined;
  if (node.kind !== 'binary') return undefined;
  const { first, steps } = leftSpine(node, 'binary', ({ left }) => left);
  if (steps.some(({ operator }) => !arithmetic.has(operatorTable[operator].kind))) return undefined;
  let value = folded(first, whole);
  for (const step of steps.reverse()) {
    const right = folded(step.right, whole);
    value = value === undefined || right === undefined ? undefined : foldedStep(step, value, right, whole);
  }
  return value;
};

const mostInteger = 2n ** 31n;
const mostIndex = 255n;

/** The value of a constant index; undefined: it is computed. @throws CompileError out of range (protocol 06 §6.8) */
export const constantIndex = (node: Expression, size: number): number | undefined => {
  const value = folded(node, node);
  if (value === undefined) return undefined;
  if (value >= mostInteger) throw compileError('indexNoInteger', node, { index: value });
  if (value >= mostIndex) throw compileError('invalidIndex', node, { index: value });
  if (value >= BigInt(size)) throw compileError('indexOutOfRange', node, { index: value, size });
  return Number(value);
};
