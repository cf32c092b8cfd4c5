import { instructionByCode, type Instruction, instructionNamed, u256Constant } from '@shardnode/protocol/script';
import { countInstructions, mostInstructions, tooManyInstructions } from '../checks/code-size.js';
import { type EntityContext } from '../checks/entity-context.js';
import { type Expression } from '../parser/syntax-tree.js';

/** An instruction, or the place of a template slot, which counts as one (protocol 06 §8.11). */
export type CodeUnit = Instruction | { readonly placeholder: number };
/** Units in order, or parts of which each has some. */
export type Code = readonly CodeUnit[] | CodeWriter;

/** So many bytes of an operand count as an instruction, too. */
const bytesOfOne = 8;

const bytesOf = (operand: Instruction['operand']): number => {
  if (operand instanceof Uint8Array) return operand.length;
  return Array.isArray(operand) ? operand.reduce<number>((sum, each: Uint8Array) => sum + each.length, 0) : 0;
};

/** The entity of a generation and what it makes: debug code or release code (protocol 06 §1.3). */
export interface Generation {
  readonly context: EntityContext;
  readonly isDebug: boolean;
  /** Index temporaries of each function, made when first needed (protocol 06 §8.3). */
  readonly temporaries: Map<string, number>;
  /** Generates an expression; here, because expressions and what they consist of need each other. */
  readonly codeOf: (generation: Generation, node: Expression) => Code;
}

/** The code of an expression (protocol 06 §8.4). @throws CompileError */
export const expressionCode = (generation: Generation, node: Expression): Code => generation.codeOf(generation, node);

/** Codes of so many units are copied into their neighbours. */
const shortCode = 32;

/** Code that is being written. Longer parts stay where they are, so code in code in code is not copied at each level. */
export class CodeWriter {
  readonly parts: Code[] = [];
  length = 0;
  /** The last part, if it was made here. */
  private last: CodeUnit[] | undefined;

  constructor(private readonly generation: Generation) {}

  /** Adds code at the end. @throws CompileError when the function becomes too long */
  add(...codes: readonly Code[]): this {
    for (const code of codes) {
      this.length += code.length;
      if (this.length > mostInstructions) throw tooManyInstructions(this.generation.context);
      if (code.length > shortCode) {
        this.parts.push(code);
        this.last = undefined;
      } else {
        if (!this.last) this.parts.push((this.last = []));
        unitsOf(code, this.last);
      }
    }
    return this;
  }
}

/** The units of code in order, behind those that are there. */
export const unitsOf = (code: Code, units: CodeUnit[] = []): readonly CodeUnit[] => {
  if (!(code instanceof CodeWriter)) for (const unit of code) units.push(unit);
  else for (const part of code.parts) unitsOf(part, units);
  return units;
};

/** Counts the code of a function. @throws CompileError when the operation has too much */
export const countCode = ({ context }: Generation, units: readonly CodeUnit[]): void => {
  let count = units.length;
  for (const unit of units) if ('operand' in unit) count += Math.floor(bytesOf(unit.operand) / bytesOfOne);
  countInstructions(context, count);
};

/** All codes in order. There may be as many as the source has parts, so they are not spread. */
export const joinAll = (generation: Generation, codes: readonly Code[]): Code => {
  const out = new CodeWriter(generation);
  for (const code of codes) out.add(code);
  return out;
};

export const joinCode = (generation: Generation, ...codes: readonly Code[]): Code => joinAll(generation, codes);

const bare = new Map<string, Instruction>();
const withByte = new Map<string, Instruction[]>();

const byteLimit = 256;

/** The instruction of that name; those without operand, and those with a byte, are shared. */
export const op = (name: string, operand?: Instruction['operand']): Instruction => {
  if (operand === undefined) {
    let known = bare.get(name);
    if (!known) bare.set(name, (known = instructionNamed(name)));
    return known;
  }
  if (typeof operand !== 'number' || operand < 0 || operand >= byteLimit) return instructionNamed(name, operand);
  let known = withByte.get(name);
  if (!known) withByte.set(name, (known = []));
  return (known[operand] ??= instructionNamed(name, operand));
};

export const ops = (...names: readonly string[]): Code => names.map((name) => op(name));
const constants: Instruction[] = [];

/** The shortest unsigned constant; small ones are shared. */
export const number = (value: number): Instruction =>
  value < byteLimit ? (constants[value] ??= u256Constant(BigInt(value))) : u256Constant(BigInt(value));
/** The long unsigned constant, for the counts before `Encode`. */
export const longNumber = (value: number): Instruction => op('U256Const', BigInt(value));

/** The number of a slot in an instruction: one byte. */
export const slotByte = (slot: number): number => slot & 0xff;

type TemporaryKind = 'local index' | 'immutable index' | 'mutable index' | 'sub-contract';

/** The slot of one of the four temporaries that a function makes at most once. */
export const temporary = ({ context, temporaries }: Generation, kind: TemporaryKind): number => {
  const key = `${context.owner}/${kind}`;
  let slot = temporaries.get(key);
  if (slot === undefined) temporaries.set(key, (slot = context.names.allocate(context.owner!, 1)));
  return slot;
};

/** An offset of slots: a number, or code that computes it. */
export type Offset = number | Code;

/** protocol 06 §8.3, offset arithmetic. */
export const plus = (generation: Generation, a: Offset, b: Offset): Offset => {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'number') return plus(generation, b, a);
  if (typeof b !== 'number') return joinCode(generation, a, b, ops('U256Add'));
  return b === 0 ? a : joinCode(generation, a, [number(b), op('U256Add')]);
};

/** Whether one of these instructions is in the code. */
export const containsAny = (code: readonly CodeUnit[], names: readonly string[]): boolean =>
  code.some((unit) => 'code' in unit && names.includes(instructionByCode[unit.code]!.name));

export const offsetCode = (offset: Offset): Code => (typeof offset === 'number' ? [number(offset)] : offset);
