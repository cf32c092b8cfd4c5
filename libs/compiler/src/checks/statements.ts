import { compileError } from '../errors/compile-error.js';
import { listText } from '../errors/list-text.js';
import { warning } from '../errors/warnings.js';
import { type Statement, type StatementOf, type Variable } from '../parser/syntax-tree.js';
import { treeText } from '../parser/tree-text.js';
import {
  address,
  declaredText,
  isOnly,
  messageText,
  oneOrListText,
  sameTypes,
  type Type,
  typesText,
} from '../types/type.js';
import { checkAssignable, targetType } from './assignability.js';
import { memberCallTypes, objectType } from './call-types.js';
import { type EntityContext, eventPosition, resultTypes } from './entity-context.js';
import { checkCondition, unknownField } from './expression-types.js';

const declare = (context: EntityContext, { name, isMutable }: Variable, type: Type): void => {
  if (type.kind === 'map') throw compileError('localMap', name, { name: name.text });
  context.names.declareLocal(context.owner!, name, { type, isMutable, isUnused: false });
};

const checkLet = (context: EntityContext, { variables, value, ...span }: StatementOf<'let'>): void => {
  const types = context.typesOf(value);
  if (types.length !== variables.length) {
    throw compileError('variableCount', span, { expected: types.length, found: variables.length });
  }
  for (const [i, variable] of variables.entries()) if (variable) declare(context, variable, types[i]!);
};

const checkDestructuring = (context: EntityContext, { type, fields, value }: StatementOf<'destructuring'>): void => {
  const types = context.typesOf(value);
  const [only] = types;
  if (types.length !== 1 || only?.kind !== 'struct' || only.name !== type.text) {
    throw compileError('otherStruct', value, { struct: type.text, found: oneOrListText(types) });
  }
  for (const { field, variable } of fields) {
    const declared = context.types.fieldOf(type.text, field.text);
    if (!declared) throw unknownField(context.types, type.text, field);
    declare(context, variable, declared.type);
  }
};

const checkAssignment = (context: EntityContext, { targets, value, ...span }: StatementOf<'assignment'>): void => {
  const expected = targets.map((target) => targetType(context, target));
  const types = context.typesOf(value);
  if (!sameTypes(types, expected)) {
    throw compileError('differentTypes', span, { found: oneOrListText(types), expected: oneOrListText(expected) });
  }
  for (const target of targets) checkAssignable(context, target, span);
};

const checkEmit = (context: EntityContext, { event, arguments: args, ...span }: StatementOf<'emit'>): void => {
  const { entity } = context;
  const found = entity.resolved?.events[eventPosition(entity, event.text)];
  if (!found) {
    const events = entity.resolved?.events ?? [];
    throw compileError('unknownEvent', event, { name: event.text }).knowing(events.map(({ name }) => name.text));
  }
  const types = context.typesOfAll(args);
  const fields = found.fields.map(({ type }) => context.types.resolve(type));
  if (types.some(({ kind }) => kind === 'array' || kind === 'struct')) {
    throw compileError('composedInEvent', span, { name: `${context.entity.name.text}.${event.text}` });
  }
  if (sameTypes(types, fields)) return;
  const declared = found.fields.map(({ type }) => declaredText(type)).join(', ');
  throw compileError('eventArguments', args[0], { found: typesText(types), event: event.text, declared });
};

const checkCall = (context: EntityContext, { call }: StatementOf<'call statement'>): void => {
  const types = call.kind === 'call' ? context.typesOf(call) : memberCallTypes(context, call, true);
  context.setTypes(call, types);
  if (types.length === 0 || types[0]?.kind === 'never') return;
  const owner =
    call.kind === 'member call' ? objectType(context, call).name : (call.type?.text ?? context.entity.name.text);
  context.warnings.push(warning('unusedResults', { name: `${owner}.${call.function.text}` }));
};

const checkMapStatement = (
  context: EntityContext,
  { operation, map, arguments: args, ...span }: StatementOf<'map statement'>,
): void => {
  const { type } = context.names.lookup(context.owner, map.text, map, true);
  if (type.kind !== 'map') throw compileError('notMap', map, { found: messageText(type) });
  const types = context.typesOfAll(args);
  const expected = operation === 'insert' ? [address, type.key, type.value] : [address, type.key];
  if (args.length !== expected.length) {
    throw compileError('mapArgumentCount', span, { expected: expected.length, found: args.length });
  }
  if (sameTypes(types, expected)) return;
  throw compileError('mapArguments', span, { found: typesText(types), expected: typesText(expected) });
};

const checkReturn = (context: EntityContext, { values, ...span }: StatementOf<'return'>): void => {
  const types = context.typesOfAll(values);
  const node = ownNode(context);
  const expected = node ? resultTypes(context.types, node) : [];
  if (sameTypes(types, expected)) return;
  throw compileError('differentResults', span, {
    found: typesText(types),
    name: context.owner!,
    expected: listText(node?.results ?? [], declaredText),
  });
};

/** The function that is checked; undefined for `main` of a script. */
const ownNode = ({ owner, entity }: EntityContext) => entity.functions.find(({ name }) => name === owner)?.node;

/** Statements in order (protocol 06 §6.4). @throws CompileError */
export const checkStatements = (context: EntityContext, statements: readonly Statement[]): void => {
  for (const statement of statements) checkStatement(context, statement);
};

const checkStatement = (context: EntityContext, statement: Statement): void => {
  switch (statement.kind) {
    case 'let':
      return checkLet(context, statement);
    case 'destructuring':
      return checkDestructuring(context, statement);
    case 'assignment':
      return checkAssignment(context, statement);
    case 'emit':
      return checkEmit(context, statement);
    case 'debug':
      return void context.typesOfAll(statement.holes);
    case 'call statement':
      return checkCall(context, statement);
    case 'map statement':
      return checkMapStatement(context, statement);
    case 'if statement': {
      const { branches, otherwise } = statement;
      for (const { condition } of branches) checkCondition(context, condition);
      for (const { body } of branches) checkStatements(context, body);
      return checkStatements(context, otherwise ?? []);
    }
    case 'while': {
      const { condition, body } = statement;
      if (!isOnly(context.typesOf(condition), 'Bool')) {
        throw compileError('whileConditionNotBool', statement, { condition: treeText(condition) });
      }
      return checkStatements(context, body);
    }
    case 'for': {
      const { first, condition, update, body } = statement;
      checkStatement(context, first);
      if (!isOnly(context.typesOf(condition), 'Bool')) {
        throw compileError('forConditionNotBool', statement, { condition: treeText(condition) });
      }
      checkStatement(context, update);
      return checkStatements(context, body);
    }
    case 'return':
      return checkReturn(context, statement);
  }
};
