import { compileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { refuseDuplicates } from '../hash-orders/refuse-duplicates.js';
import { isPrimitiveName } from '../lexer/names.js';
import { type Annotation, functionUsing } from './annotations.js';
import { valueText } from './tree-text.js';
import { choice, commit, mapped, named, optional, repeated, repeatedOnce, type Rule, sequence } from './rules.js';
import {
  type Argument,
  type ConstantNode,
  type EnumNode,
  type EventNode,
  type Expression,
  type FunctionNode,
  type MapNode,
  type Statement,
  type TypeNode,
} from './syntax-tree.js';
import { byteString, constantName, functionName, ident, keyword, literalValue, plain, typeId } from './tokens.js';
import { type } from './types.js';

/** `@unused? mut? ident ':' type` */
const argumentWith = (mut: Rule<Span>): Rule<Argument> =>
  sequence(
    [optional(plain('@unused')), optional(mut), ident, plain(':'), type],
    ([unused, isMut, name, , written], span) => ({
      name,
      type: written,
      isMutable: isMut !== undefined,
      isUnused: unused !== undefined,
      ...span,
    }),
  );

export const argument = argumentWith(keyword('mut'));

/** A template parameter: never `mut`, which is refused as soon as it has been read (protocol 06 §3.5). */
export const templateParameter = argumentWith(
  mapped(keyword('mut'), (span) => {
    throw compileError('mutableTemplate', span);
  }),
);

export const argumentsNamed = (name: string, one: Rule<Argument>): Rule<readonly Argument[]> =>
  named(
    name,
    sequence([plain('('), repeated(one, plain(',')), plain(')')], ([, list]) => list),
  );

/** The type of a map's key, checked as soon as it has been read: its span reaches to the next token. */
const mapKey: Rule<TypeNode> = (state) => {
  const key = type(state);
  if (typeof key === 'symbol') return key;
  if (key.kind === 'named' && isPrimitiveName(key.name)) return key;
  throw compileError('mapKeyNotPrimitive', { start: key.start, end: state.skip() });
};

export const mapRule: Rule<MapNode> = sequence(
  [keyword('mapping'), plain('['), mapKey, plain(','), type, plain(']'), ident],
  ([, , key, , value, , name], span) => ({ key, value, name, ...span }),
);

const mostEventFields = 8;
const eventField = sequence([ident, plain(':'), type], ([name, , written]) => ({ name, type: written }));
export const eventRule: Rule<EventNode> = named(
  'eventDef',
  sequence(
    [
      keyword('event'),
      commit,
      typeId,
      named(
        'eventFields',
        sequence([plain('('), repeated(eventField, plain(',')), plain(')')], ([, list]) => list),
      ),
    ],
    ([, , name, fields], span) => {
      if (name.text === 'Debug') throw compileError('debugEvent', name);
      if (fields.length > mostEventFields) throw compileError('tooManyEventFields', span);
      return { name, fields, ...span };
    },
  ),
);

const enumField = sequence(
  [typeId, plain('='), choice('value', literalValue, byteString)],
  ([name, , { value }], span) => ({ name, value, ...span }),
);

/** protocol 06 §3.5, in its order. */
const checkEnum = ({ name, fields }: EnumNode): void => {
  refuseDuplicates('duplicateEnumFields', fields);
  if (new Set(fields.map(({ value }) => value.type)).size > 1) {
    throw compileError('enumFieldTypes', name, { name: name.text });
  }
  const isRepeated = new Set(fields.map(({ value }) => valueText(value))).size < fields.length;
  if (isRepeated) throw compileError('enumFieldValues', name, { name: name.text });
};

export const enumRule: Rule<EnumNode> = named(
  'PP',
  sequence(
    [keyword('enum'), commit, typeId, plain('{'), repeated(enumField), plain('}')],
    ([, , name, , fields], span) => {
      if (fields.length === 0) {
        throw compileError('emptyEnum', { start: span.start, end: name.end }, { name: name.text });
      }
      const node = { name, fields, ...span };
      checkEnum(node);
      return node;
    },
  ),
);

const results: Rule<readonly TypeNode[]> = named(
  'returnType',
  choice<readonly TypeNode[]>(
    '(simpleReturnType | bracketReturnType)',
    sequence([plain('->'), type], ([, only]) => [only]),
    sequence([plain('->'), plain('('), repeated(type, plain(',')), plain(')')], ([, , list]) => list),
  ),
);

/** The rules of contract members that hold expressions or statements. */
export const memberRules = (
  expression: Rule<Expression>,
  statement: Rule<Statement>,
  annotation: Rule<Annotation>,
): {
  readonly constant: Rule<ConstantNode>;
  readonly func: Rule<FunctionNode>;
  readonly interfaceFunction: Rule<FunctionNode>;
} => {
  const constant: Rule<ConstantNode> = named(
    'constantVarDef',
    sequence([keyword('const'), commit, constantName, plain('='), expression], ([, , name, , value], { start }) => ({
      name,
      value,
      start,
      end: value.end,
    })),
  );

  const body = optional(
    sequence([plain('{'), repeated(statement), plain('}')], ([, statements], { end }) => ({ statements, end })),
  );
  const interfaceFunction: Rule<FunctionNode> = named(
    'PP',
    sequence(
      [
        repeated(annotation),
        repeated(keyword('pub')),
        keyword('fn'),
        commit,
        functionName,
        argumentsNamed('funParams', argument),
        results,
        body,
      ],
      ([annotations, pubs, , , name, parameters, types, statements], { start, end }) => {
        if (pubs.length > 1) {
          const span = { start: pubs[0]!.start, end: pubs.at(-1)!.end };
          throw compileError('repeatedModifiers', span, { modifiers: pubs.map(() => 'Pub').join(', ') });
        }
        return {
          name,
          isPublic: pubs.length > 0,
          using: functionUsing(annotations, 'function'),
          parameters,
          results: types,
          body: statements?.statements,
          start,
          end,
        };
      },
    ),
  );
  const func = mapped(interfaceFunction, (node) => {
    if (node.using.methodIndex === undefined) return node;
    throw compileError('methodIndexInContract', node.name);
  });
  return { constant, func, interfaceFunction };
};

export const structFields = repeated(
  sequence([optional(keyword('mut')), ident, plain(':'), type], ([mut, name, , written], span) => ({
    name,
    type: written,
    isMutable: mut !== undefined,
    ...span,
  })),
  plain(','),
);

/** Parents of a contract with the fields that they get. */
export const contractParents = optional(
  sequence(
    [
      choice('inheritance', keyword('extends'), keyword('embeds')),
      repeatedOnce(
        sequence([typeId, plain('('), repeated(ident, plain(',')), plain(')')], ([name, , fields]) => ({
          name,
          fields,
        })),
        plain(','),
      ),
    ],
    ([, list]) => list,
  ),
);
