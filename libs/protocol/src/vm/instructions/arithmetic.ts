import { i256Arithmetic, u256Arithmetic } from '../../primitives/index.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';

type Operation = (a: bigint, b: bigint) => bigint | undefined;
type Comparison = (a: bigint, b: bigint) => boolean;

const arithmeticError = (name: string, type: string, a: bigint, b: bigint): never =>
  fail('ArithmeticError', `Arithmetic error: ${name}(${type}(${a}), ${type}(${b}))`);

/** The operand on top is the second one. */
const onU256 =
  (name: string, operation: Operation): Execute =>
  (machine) => {
    const b = machine.popU256();
    const a = machine.popU256();
    machine.pushU256(operation(a, b) ?? arithmeticError(name, 'U256', a, b));
  };

const onI256 =
  (name: string, operation: Operation): Execute =>
  (machine) => {
    const b = machine.popI256();
    const a = machine.popI256();
    machine.pushI256(operation(a, b) ?? arithmeticError(name, 'I256', a, b));
  };

const comparingU256 =
  (comparison: Comparison): Execute =>
  (machine) => {
    const b = machine.popU256();
    machine.pushBool(comparison(machine.popU256(), b));
  };

const comparingI256 =
  (comparison: Comparison): Execute =>
  (machine) => {
    const b = machine.popI256();
    machine.pushBool(comparison(machine.popI256(), b));
  };

const u256Operations: Readonly<Record<string, Operation>> = {
  U256Add: u256Arithmetic.add,
  U256Sub: u256Arithmetic.sub,
  U256Mul: u256Arithmetic.mul,
  U256Div: u256Arithmetic.div,
  U256Mod: u256Arithmetic.mod,
  U256ModAdd: u256Arithmetic.modAdd,
  U256ModSub: u256Arithmetic.modSub,
  U256ModMul: u256Arithmetic.modMul,
  U256BitAnd: u256Arithmetic.and,
  U256BitOr: u256Arithmetic.or,
  U256Xor: u256Arithmetic.xor,
  U256SHL: u256Arithmetic.shl,
  U256SHR: u256Arithmetic.shr,
};

const i256Operations: Readonly<Record<string, Operation>> = {
  I256Add: i256Arithmetic.add,
  I256Sub: i256Arithmetic.sub,
  I256Mul: i256Arithmetic.mul,
  I256Div: i256Arithmetic.div,
  I256Mod: i256Arithmetic.mod,
};

/** By the end of the instruction's name. */
const comparisons: Readonly<Record<string, Comparison>> = {
  Eq: (a, b) => a === b,
  Neq: (a, b) => a !== b,
  Lt: (a, b) => a < b,
  Le: (a, b) => a <= b,
  Gt: (a, b) => a > b,
  Ge: (a, b) => a >= b,
};

const each = <T>(table: Readonly<Record<string, T>>, make: (name: string, entry: T) => Execute) =>
  Object.entries(table).map(([name, entry]): [string, Execute] => [name, make(name, entry)]);

/** Arithmetic without powers; the table charges its gas (protocol 05 §6.2). */
export const arithmeticInstructions: InstructionImplementations = Object.fromEntries([
  ...each(u256Operations, onU256),
  ...each(i256Operations, onI256),
  ...each(comparisons, (_name, comparison) => comparingU256(comparison)).map(([name, run]) => [`U256${name}`, run]),
  ...each(comparisons, (_name, comparison) => comparingI256(comparison)).map(([name, run]) => [`I256${name}`, run]),
]) as InstructionImplementations;
