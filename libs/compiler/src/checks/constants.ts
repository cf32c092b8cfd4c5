import { i256Arithmetic, u256Arithmetic } from '@shardnode/protocol/primitives';
import { sameVal, type Val } from '@shardnode/protocol/script';
import { compileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { refuseDuplicates } from '../hash-orders/refuse-duplicates.js';
import { leftSpine } from '../parser/left-spine.js';
import { type BinaryOperator, type ConstantNode, type Expression, type ExpressionOf } from '../parser/syntax-tree.js';
import { type MergedEnum } from '../project/index.js';
import { primitive } from '../types/type.js';
import { type EntityContext } from './entity-context.js';

const labels: Partial<Record<Expression['kind'], string>> = {
  array: 'arrays',
  'repeated array': 'arrays',
  'struct value': 'structs',
  conversion: 'contract instances',
};

const notSupported = (node: Expression) =>
  compileError('notConstant', node, { form: labels[node.kind] ?? 'other expressions' });

type Arithmetic = 'add' | 'sub' | 'mul' | 'div' | 'mod' | 'pow';

/** Exact operations by their names in the arithmetic of the machine; no result is an overflow. */
const exact: Partial<Record<BinaryOperator, Arithmetic>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'mod',
  '**': 'pow',
};
const arithmetic = { U256: u256Arithmetic, I256: i256Arithmetic } as const;

/** On U256 only, as the machine does them (protocol 06 §8.4). */
const unsigned: Partial<Record<BinaryOperator, (a: bigint, b: bigint) => bigint>> = {
  '|+|': u256Arithmetic.modAdd,
  '|-|': u256Arithmetic.modSub,
  '|*|': u256Arithmetic.modMul,
  '|**|': u256Arithmetic.modPow,
  '<<': u256Arithmetic.shl,
  '>>': u256Arithmetic.shr,
  '&': u256Arithmetic.and,
  '|': u256Arithmetic.or,
  '^': u256Arithmetic.xor,
};

const orders: Partial<Record<BinaryOperator, (a: bigint, b: bigint) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

type NumberVal = Extract<Val, { readonly value: bigint }>;
const isNumber = (val: Val): val is NumberVal => val.type === 'U256' || val.type === 'I256';

const onNumbers = (operator: BinaryOperator, left: NumberVal, right: NumberVal, span: Span): Val | undefined => {
  const exactly = exact[operator];
  if (exactly) {
    const value = arithmetic[left.type][exactly](left.value, right.value);
    if (value === undefined) throw compileError('numberOverflow', span, { type: left.type });
    return { type: left.type, value };
  }
  const modular = unsigned[operator];
  if (modular && left.type === 'U256') return { type: 'U256', value: modular(left.value, right.value) };
  if (modular) throw compileError('constantsNotUnsigned', span, { operator });
  const compare = orders[operator];
  return compare && { type: 'Bool', value: compare(left.value, right.value) };
};

/** The value of an operation on constants (protocol 06 §6.7). @throws CompileError */
export const constantOperation = (operator: BinaryOperator, left: Val, right: Val, span: Span): Val => {
  if (operator === '==' || operator === '!=') {
    return { type: 'Bool', value: sameVal(left, right) === (operator === '==') };
  }
  if (left.type === 'Bool' && right.type === 'Bool' && (operator === '&&' || operator === '||')) {
    return { type: 'Bool', value: operator === '&&' ? left.value && right.value : left.value || right.value };
  }
  const value = isNumber(left) && isNumber(right) ? onNumbers(operator, left, right, span) : undefined;
  if (value) return value;
  throw compileError('constantsNotNumbers', span, { operator });
};

/** Bytes that `++` may make in the constants of one operation: they could double with every constant. */
const mostConcatenatedBytes = 2 ** 24;

/** A chain of `++`, joined at once. @throws CompileError when the operation has made too many bytes */
const concatenation = (context: EntityContext, node: Expression, values: readonly Uint8Array[]): Val => {
  const { made } = context.operation;
  const length = values.reduce((sum, bytes) => sum + bytes.length, 0);
  made.concatenatedBytes += length;
  if (made.concatenatedBytes > mostConcatenatedBytes) throw compileError('bytesOverflow', node);
  const joined = new Uint8Array(length);
  let end = 0;
  for (const bytes of values) {
    joined.set(bytes, end);
    end += bytes.length;
  }
  return { type: 'ByteVec', value: joined };
};

const evaluateBinary = (context: EntityContext, outermost: ExpressionOf<'binary'>): Val => {
  const { first, steps } = leftSpine(outermost, 'binary', ({ left }) => left);
  steps.reverse();
  if (outermost.operator === '++') {
    const parts = [first, ...steps.map(({ right }) => right)].map((each) => evaluate(context, each).value);
    // All have been typed as ByteVec.
    return concatenation(context, outermost, parts as Uint8Array[]);
  }
  return steps.reduce(
    (left, node) => constantOperation(node.operator, left, evaluate(context, node.right), node),
    evaluate(context, first),
  );
};

const evaluate = (context: EntityContext, node: Expression): Val => {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'parentheses':
      return evaluate(context, node.inner);
    case 'variable': {
      const named = context.names.find(undefined, node.name);
      if (named?.kind === 'constant') return named.value;
      throw compileError('unknownConstant', node, { name: node.name }).knowing(context.names.constants());
    }
    case 'not': {
      const value = evaluate(context, node.operand);
      if (value.type === 'Bool') return { type: 'Bool', value: !value.value };
      throw new Error('`!` of another type than Bool was typed');
    }
    case 'binary':
      return evaluateBinary(context, node);
    default:
      throw notSupported(node);
  }
};

/** Declares constants, then the values of enums (protocol 06 §6.7). @throws CompileError */
export const declareConstants = (
  context: EntityContext,
  constants: readonly ConstantNode[],
  enums: readonly MergedEnum[],
): void => {
  refuseDuplicates('duplicateConstants', constants);
  const declare = (name: string, value: Val, span: Span): void => {
    const type = primitive(value.type);
    context.names.declareGlobal(name, { kind: 'constant', type, value, isMutable: false, isUnused: false }, span);
  };
  for (const { name, value } of constants) {
    const types = context.typesOf(value);
    if (types.length !== 1 || types[0]?.kind !== 'primitive') throw notSupported(value);
    declare(name.text, evaluate(context, value), name);
  }
  for (const { name, fields } of enums) {
    for (const field of fields) declare(`${name.text}.${field.name.text}`, field.value, field.name);
  }
};

/** The values of constants and enums, by name, for the result. */
export const constantValue = (context: EntityContext, name: string): Val => {
  const named = context.names.find(undefined, name);
  if (named?.kind !== 'constant') throw new Error(`${name} is no constant`);
  return named.value;
};
