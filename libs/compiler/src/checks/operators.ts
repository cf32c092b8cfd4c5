import { type BinaryOperator } from '../parser/syntax-tree.js';
import { bool, byteVec, isPrimitive, sameType, type Type } from '../types/type.js';

type OperatorKind = 'arithmetic' | 'power' | 'u256 only' | 'concatenation' | 'equality' | 'order' | 'logic';

interface OperatorRow {
  readonly kind: OperatorKind;
  /** Instruction without the type's name in front: `Add` of `U256Add`. */
  readonly instruction: string;
}

/** Binary operators: how they are typed, and the instruction (protocol 06 §6.6, §8.4). */
export const operatorTable: Readonly<Record<BinaryOperator, OperatorRow>> = {
  '||': { kind: 'logic', instruction: 'Or' },
  '&&': { kind: 'logic', instruction: 'And' },
  '==': { kind: 'equality', instruction: 'Eq' },
  '!=': { kind: 'equality', instruction: 'Neq' },
  '<=': { kind: 'order', instruction: 'Le' },
  '<': { kind: 'order', instruction: 'Lt' },
  '>=': { kind: 'order', instruction: 'Ge' },
  '>': { kind: 'order', instruction: 'Gt' },
  '|': { kind: 'u256 only', instruction: 'BitOr' },
  '^': { kind: 'u256 only', instruction: 'Xor' },
  '&': { kind: 'u256 only', instruction: 'BitAnd' },
  '<<': { kind: 'u256 only', instruction: 'SHL' },
  '>>': { kind: 'u256 only', instruction: 'SHR' },
  '++': { kind: 'concatenation', instruction: 'Concat' },
  '+': { kind: 'arithmetic', instruction: 'Add' },
  '-': { kind: 'arithmetic', instruction: 'Sub' },
  '*': { kind: 'arithmetic', instruction: 'Mul' },
  '/': { kind: 'arithmetic', instruction: 'Div' },
  '%': { kind: 'arithmetic', instruction: 'Mod' },
  '**': { kind: 'power', instruction: 'Exp' },
  '|+|': { kind: 'u256 only', instruction: 'ModAdd' },
  '|-|': { kind: 'u256 only', instruction: 'ModSub' },
  '|*|': { kind: 'u256 only', instruction: 'ModMul' },
  '|**|': { kind: 'u256 only', instruction: 'ModExp' },
};

const isNumber = (type: Type): boolean => isPrimitive(type, 'U256') || isPrimitive(type, 'I256');

/** The type of an operation over the joined type list of both sides; undefined: the operands do not fit. */
export const operationType = (operator: BinaryOperator, operands: readonly Type[]): Type | undefined => {
  const [left, right] = operands;
  if (operands.length !== 2 || !left || !right) return undefined;
  switch (operatorTable[operator].kind) {
    case 'arithmetic':
    case 'u256 only':
      return isNumber(left) && sameType(left, right) ? left : undefined;
    case 'power':
      return isNumber(left) && isPrimitive(right, 'U256') ? left : undefined;
    case 'concatenation':
      return isPrimitive(left, 'ByteVec') && isPrimitive(right, 'ByteVec') ? byteVec : undefined;
    case 'equality':
    case 'order':
      return (left.kind === 'primitive' || left.kind === 'never') && sameType(left, right) ? bool : undefined;
    case 'logic':
      return isPrimitive(left, 'Bool') && isPrimitive(right, 'Bool') ? bool : undefined;
  }
};
