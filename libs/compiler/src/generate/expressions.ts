import { constantInstruction } from '@shardnode/protocol/script';
import { operatorTable } from '../checks/operators.js';
import { compileError } from '../errors/compile-error.js';
import { leftSpine } from '../parser/left-spine.js';
import { type BinaryOperator, type Expression, type ExpressionOf, type Name } from '../parser/syntax-tree.js';
import { type Type } from '../types/type.js';
import { callCode, memberCallCode } from './calls.js';
import { type Code, CodeWriter, expressionCode, type Generation, joinAll, joinCode, op, slotByte } from './code.js';
import { branchesCode } from './control-flow.js';
import { containsCode, mapLoadCode, mapNameCode } from './maps.js';
import { isComposed, loadCode, referenceOf, referenceOfName } from './references.js';

const nameCode = (generation: Generation, name: string): Code => {
  const { names, owner } = generation.context;
  const named = names.find(owner, name)!;
  if (named.kind === 'constant') return [constantInstruction(named.value)];
  if (named.kind === 'map') return mapNameCode(named.index);
  if (isComposed(named.type)) return loadCode(generation, referenceOfName(named));
  switch (named.kind) {
    case 'local':
      return [op('LoadLocal', slotByte(named.slot))];
    case 'template':
      return [{ placeholder: named.slot }];
    case 'field':
      return [
        named.isMutable ? op('LoadMutField', slotByte(named.mutable)) : op('LoadImmField', slotByte(named.immutable)),
      ];
  }
};

const byteVecNames: Readonly<Record<string, string>> = { Concat: 'ByteVecConcat' };

/** @throws CompileError for operands that were typed but have no instruction (protocol 06 §6.6) */
const operatorCode = (operator: BinaryOperator, type: Type | undefined, node: Expression): string => {
  const { kind, instruction } = operatorTable[operator];
  const name = type?.kind === 'primitive' ? type.name : undefined;
  if (kind === 'concatenation') return byteVecNames[instruction]!;
  if (kind === 'equality') {
    if (name === undefined) throw compileError('noEquality', node, { operator });
    return name + instruction;
  }
  if (kind === 'order' && name !== 'I256' && name !== 'U256') {
    throw compileError('noOrder', node, { operator });
  }
  if (kind === 'u256 only' && name !== 'U256') throw compileError('unsignedOnly', node, { operator });
  return name + instruction;
};

const binaryCode = (generation: Generation, outermost: ExpressionOf<'binary'>): Code => {
  const { first, steps } = leftSpine(outermost, 'binary', ({ left }) => left);
  const out = new CodeWriter(generation);
  out.add(expressionCode(generation, first));
  let types = generation.context.typesOf(first);
  for (const node of steps.reverse()) {
    out.add(expressionCode(generation, node.right));
    const [type] = [...types, ...generation.context.typesOf(node.right)];
    out.add([op(operatorCode(node.operator, type, node))]);
    types = generation.context.typesOf(node);
  }
  return out;
};

/** The calls of a chain, the innermost object first: each emits its arguments before the object. */
const chainCode = (generation: Generation, outermost: ExpressionOf<'member call'>): Code => {
  const { first, steps } = leftSpine(outermost, 'member call', ({ object }) => object);
  // Generated in the order in which it is emitted: the outermost call's arguments come first.
  const calls = steps.map((node) => memberCallCode(generation, node));
  const out = new CodeWriter(generation);
  for (const { before } of calls) out.add(before);
  out.add(expressionCode(generation, first));
  for (const { after } of calls.reverse()) out.add(after);
  return out;
};

const structCode = (generation: Generation, { type, fields }: ExpressionOf<'struct value'>): Code => {
  const out = new CodeWriter(generation);
  // Of a field that is given twice the first counts.
  const byName = new Map(fields.toReversed().map((field) => [field.name.text, field]));
  for (const { name } of generation.context.types.fieldsOf(type.text)) {
    const given = byName.get(name);
    if (!given) throw compileError('structFieldLeftOut', type, { field: name });
    out.add(given.value ? expressionCode(generation, given.value) : nameCode(generation, name));
  }
  return out;
};

const selectionCode = (generation: Generation, node: ExpressionOf<'selection'>): Code => {
  const { context } = generation;
  const base = context.typeOf(node.base);
  if (base.kind === 'map') {
    return mapLoadCode(generation, base, expressionCode(generation, node.base), node.selectors);
  }
  const out = new CodeWriter(generation);
  const reference = referenceOf(generation, node, out);
  out.add(loadCode(generation, reference));
  return out;
};

const enumValueName = (enumName: string, { text }: Name): string => `${enumName}.${text}`;

/** The code of an expression, as `expressionCode` gives it (protocol 06 §8.4). @throws CompileError */
export const generateExpression = (generation: Generation, node: Expression): Code => {
  switch (node.kind) {
    case 'literal':
      return [constantInstruction(node.value)];
    case 'coin token id':
      return [op('CoinTokenId')];
    case 'variable':
      return nameCode(generation, node.name);
    case 'enum value':
      return nameCode(generation, enumValueName(node.enumName, node.field));
    case 'parentheses':
      return expressionCode(generation, node.inner);
    case 'not':
      return joinCode(generation, expressionCode(generation, node.operand), [op('BoolNot')]);
    case 'binary':
      return binaryCode(generation, node);
    case 'call':
      return callCode(generation, node);
    case 'member call':
      return chainCode(generation, node);
    case 'conversion':
      return expressionCode(generation, node.value);
    case 'array':
      return joinAll(
        generation,
        node.elements.map((each) => expressionCode(generation, each)),
      );
    case 'repeated array': {
      const out = new CodeWriter(generation);
      for (let i = 0; i < node.size; i++) out.add(expressionCode(generation, node.element));
      return out;
    }
    case 'struct value':
      return structCode(generation, node);
    case 'selection':
      return selectionCode(generation, node);
    case 'contains':
      return containsCode(generation, node.map, node.key);
    case 'if':
      return branchesCode(
        generation,
        node.branches.map(({ condition, value }) => ({ condition, body: () => expressionCode(generation, value) })),
        () => expressionCode(generation, node.otherwise),
      );
  }
};
