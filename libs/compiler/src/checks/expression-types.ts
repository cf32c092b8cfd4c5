import { compileError, type CompileError } from '../errors/compile-error.js';
import { listText } from '../errors/list-text.js';
import { type Span } from '../errors/span.js';
import { leftSpine } from '../parser/left-spine.js';
import { type Expression, type ExpressionOf, type Name, type Selector } from '../parser/syntax-tree.js';
import { elementsText, treeText } from '../parser/tree-text.js';
import { type TypeTable } from '../types/type-table.js';
import {
  bool,
  byteVec,
  isOnly,
  isPrimitive,
  messageText,
  oneOrListText,
  primitive,
  sameType,
  sameTypes,
  signatureText,
  type Type,
  typesText,
} from '../types/type.js';
import { callTypes, entityOfType, memberCallTypes } from './call-types.js';
import { type EntityContext } from './entity-context.js';
import { operationType } from './operators.js';

/** @throws CompileError for a condition of an `if` that is no Bool */
export const checkCondition = (context: EntityContext, condition: Expression): void => {
  const types = context.typesOf(condition);
  if (!isOnly(types, 'Bool')) throw compileError('ifConditionNotBool', condition, { types: typesText(types) });
};

const binaryTypes = (context: EntityContext, outermost: ExpressionOf<'binary'>): readonly Type[] => {
  const { first, steps } = leftSpine(outermost, 'binary', ({ left }) => left);
  let types = context.typesOf(first);
  for (const node of steps.reverse()) {
    const operands = [...types, ...context.typesOf(node.right)];
    const type = operationType(node.operator, operands);
    const areBothNever = operands.length === 2 && operands.every(({ kind }) => kind === 'never');
    if (!type || (areBothNever && !isPrimitive(type, 'Bool'))) {
      throw compileError('invalidOperands', node, { types: typesText(operands), operator: node.operator });
    }
    types = [type];
    context.setTypes(node, types);
  }
  return types;
};

const arrayTypes = (context: EntityContext, node: ExpressionOf<'array' | 'repeated array'>): readonly Type[] => {
  const elements = node.kind === 'array' ? node.elements : [node.element];
  const firstTypes = context.typesOf(elements[0]!);
  const [type] = firstTypes;
  if (firstTypes.length !== 1 || !type) {
    throw compileError('noSingleElementType', node, { elements: elementsText(node) });
  }
  for (const element of elements.slice(1)) {
    if (sameTypes(context.typesOf(element), firstTypes)) continue;
    throw compileError('differentElements', node, { elements: elementsText(node) });
  }
  const size = node.kind === 'array' ? elements.length : node.size;
  return [{ kind: 'array', element: type, size, node: undefined }];
};

/** The error of a field that a struct does not have. */
export const unknownField = (types: TypeTable, struct: string, { text: field, ...span }: Name): CompileError =>
  compileError('unknownStructField', span, { field, struct }).knowing(types.fieldsOf(struct).map(({ name }) => name));

const structTypes = (
  context: EntityContext,
  { type, fields, ...span }: ExpressionOf<'struct value'>,
): readonly Type[] => {
  const { types, names, owner } = context;
  if (!types.struct(type.text)) {
    throw compileError('unknownStruct', type, { name: type.text }).knowing(types.structNames());
  }
  const given = fields.map(({ name, value }) => ({
    name: name.text,
    types: value ? context.typesOf(value) : [names.lookup(owner, name.text, name).type],
  }));
  const declared = types.fieldsOf(type.text);
  const declaredTypes = new Map(declared.map((field) => [field.name, field.type]));
  const matches =
    given.length === declared.length &&
    given.every((field) => {
      const wanted = declaredTypes.get(field.name);
      return wanted !== undefined && field.types.length === 1 && sameType(wanted, field.types[0]!);
    });
  if (!matches) {
    const expected = listText(declared, (field) => `${field.name}:${signatureText(field.type)}`);
    throw compileError('differentStructFields', span, { expected });
  }
  return [{ kind: 'struct', name: type.text }];
};

/** The type behind one selector (protocol 06 §6.6). @throws CompileError */
export const selectedType = (context: EntityContext, of: readonly Type[], selector: Selector, before: Span): Type => {
  const [type] = of.length === 1 ? of : [];
  if (selector.kind === 'field') {
    if (type?.kind !== 'struct') throw compileError('notStruct', before, { found: oneOrListText(of) });
    const field = context.types.fieldOf(type.name, selector.name.text);
    if (field) return field.type;
    throw unknownField(context.types, type.name, selector.name);
  }
  const index = context.typesOf(selector.index);
  const found = oneOrListText(index);
  if (type?.kind === 'array') {
    if (isOnly(index, 'U256')) return type.element;
    throw compileError('indexNotUnsigned', selector, { found });
  }
  if (type?.kind === 'map') {
    if (index.length === 1 && sameType(index[0]!, type.key)) return type.value;
    throw compileError('mapKeyOfOtherType', selector, { found, expected: messageText(type.key) });
  }
  throw compileError('notIndexable', before, { found: oneOrListText(of) });
};

const selectionTypes = (context: EntityContext, { base, selectors }: ExpressionOf<'selection'>): readonly Type[] => {
  let types = context.typesOf(base);
  let end = base.end;
  for (const selector of selectors) {
    types = [selectedType(context, types, selector, { start: base.start, end })];
    end = selector.end;
  }
  return types;
};

const containsTypes = (context: EntityContext, { map, key, ...span }: ExpressionOf<'contains'>): readonly Type[] => {
  const { type } = context.names.lookup(context.owner, map.text, map);
  if (type.kind !== 'map') throw compileError('notMap', map, { found: messageText(type) });
  const types = context.typesOf(key);
  if (types.length === 1 && sameType(types[0]!, type.key)) return [bool];
  throw compileError('mapArguments', span, { found: typesText(types), expected: typesText([type.key]) });
};

const ifTypes = (context: EntityContext, { branches, otherwise, ...span }: ExpressionOf<'if'>): readonly Type[] => {
  const expected = context.typesOf(otherwise);
  for (const { condition, value } of branches) {
    checkCondition(context, condition);
    const types = context.typesOf(value);
    if (sameTypes(types, expected)) continue;
    throw compileError('differentBranches', span, { expected: typesText(expected), found: typesText(types) });
  }
  return expected;
};

const conversionTypes = (
  context: EntityContext,
  { type, value, ...span }: ExpressionOf<'conversion'>,
): readonly Type[] => {
  const entity = entityOfType(context, type.text, type);
  const types = context.typesOf(value);
  if (!isOnly(types, 'ByteVec')) {
    throw compileError('conversionOfOther', value, { value: treeText(value) });
  }
  const isInstantiable = entity.kind === 'interface' || (entity.kind === 'contract' && !entity.node.isAbstract);
  if (!isInstantiable) throw compileError('notInstantiable', span, { name: type.text });
  return [{ kind: 'contract', name: type.text, span: { start: type.start, end: type.end } }];
};

/** The type list of an expression, as `typesOf` of the context gives it (protocol 06 §6.6). @throws CompileError */
export const checkExpression = (context: EntityContext, node: Expression): readonly Type[] => {
  const { names, owner } = context;
  switch (node.kind) {
    case 'literal':
      return [primitive(node.value.type)];
    case 'coin token id':
      return [byteVec];
    case 'variable':
      return [names.lookup(owner, node.name, node).type];
    case 'enum value':
      return [names.lookup(owner, `${node.enumName}.${node.field.text}`, node.field).type];
    case 'parentheses':
      return context.typesOf(node.inner);
    case 'not': {
      const types = context.typesOf(node.operand);
      if (isOnly(types, 'Bool')) return [bool];
      throw compileError('invalidOperands', node, { types: typesText(types), operator: '!' });
    }
    case 'binary':
      return binaryTypes(context, node);
    case 'call':
      return callTypes(context, node);
    case 'member call':
      return memberCallTypes(context, node, false);
    case 'conversion':
      return conversionTypes(context, node);
    case 'array':
    case 'repeated array':
      return arrayTypes(context, node);
    case 'struct value':
      return structTypes(context, node);
    case 'selection':
      return selectionTypes(context, node);
    case 'contains':
      return containsTypes(context, node);
    case 'if':
      return ifTypes(context, node);
  }
};
