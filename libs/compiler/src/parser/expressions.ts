import { compileError } from '../errors/compile-error.js';
import { isLetter, isLower, isOneOf, isUpper } from '../lexer/names.js';
import { arrayRule } from './arrays.js';
import { callRules } from './calls.js';
import { ifExpressionRule } from './if-expressions.js';
import { memberCallRules, variableOf } from './member-calls.js';
import { operatorChains } from './operators.js';
import { beginning, choice, mapped, named, optional, repeated, type Rule, sequence } from './rules.js';
import { interpolatedString, type InterpolatedString } from './strings.js';
import { type Expression, type ExpressionOf, type Selector } from './syntax-tree.js';
import { byteString, ident, keyword, type Literal, literalValue, plain, typeId } from './tokens.js';

/** Which code is parsed: asset scripts have no contracts, maps and enums (protocol 06 §3.3, §3.4). */
export type CodeKind = 'stateful' | 'stateless';

export interface ExpressionRules {
  readonly expression: Rule<Expression>;
  readonly selector: Rule<Selector>;
  readonly call: Rule<ExpressionOf<'call'>>;
  readonly memberCall: Rule<ExpressionOf<'member call'>>;
  readonly interpolated: Rule<InterpolatedString>;
}

const enumValue: Rule<Expression> = sequence([typeId, plain('.'), typeId], ([{ text }, , field], span) => ({
  kind: 'enum value' as const,
  enumName: text,
  field,
  ...span,
}));

const structValueRule = (expression: Rule<Expression>): Rule<Expression> => {
  const structField = named(
    'structCtor',
    sequence(
      [
        ident,
        optional(
          named(
            'structCtor',
            sequence([plain(':'), expression], ([, value]) => value),
          ),
        ),
      ],
      ([name, value]) => ({ name, value }),
    ),
  );
  return sequence([typeId, plain('{'), repeated(structField, plain(',')), plain('}')], ([type, , fields], span) => {
    if (fields.length === 0) throw compileError('emptyStruct', type, { name: type.text });
    return { kind: 'struct value' as const, type, fields, ...span };
  });
};

const parenthesesRule = (expression: Rule<Expression>): Rule<Expression> =>
  sequence([plain('('), expression, plain(')')], ([, inner], span) => ({
    kind: 'parentheses' as const,
    inner,
    ...span,
  }));

const literalOf = ({ value, start, end }: Literal): Expression => ({ kind: 'literal', value, start, end });

const selectorRule = (expression: Rule<Expression>): Rule<Selector> =>
  named(
    'dataSelector',
    choice<Selector>(
      'selector',
      named(
        'identSelector',
        sequence([plain('.'), ident], ([, name], span) => ({ kind: 'field' as const, name, ...span })),
      ),
      named(
        'indexSelector',
        sequence([plain('['), expression, plain(']')], ([, index], span) => ({
          kind: 'index' as const,
          // The span of an expression that is directly an index is that of the selector (protocol 06 §10.5).
          index: { ...index, ...span },
          ...span,
        })),
      ),
    ),
  );

/** The rules of expressions (protocol 06 §3.4). */
export const expressionRules = (kind: CodeKind): ExpressionRules => {
  const isStateful = kind === 'stateful';
  const expression: Rule<Expression> = (state) => state.nested(anyExpression);
  const { call, callTail } = callRules(expression);
  const { memberCall, containsOrMemberCall, conversionOrMemberCall } = memberCallRules(
    expression,
    callTail,
    isStateful,
  );
  const atom: Rule<Expression> = named(
    'atom',
    choice<Expression>(
      'atom',
      beginning(isOneOf('0123456789-_#@tf'), mapped(literalValue, literalOf)),
      beginning(isOneOf('b'), mapped(byteString, literalOf)),
      beginning(
        isOneOf('A'),
        mapped(keyword('ALPH'), (span): Expression => ({ kind: 'coin token id', ...span })),
      ),
      beginning(isLetter, named('PP', call)),
      ...(isStateful ? [beginning(isLower, containsOrMemberCall)] : []),
      beginning(isUpper, conversionOrMemberCall),
      ...(isStateful ? [beginning(isUpper, enumValue)] : []),
      beginning(isUpper, named('PP', structValueRule(expression))),
      beginning(isLetter, mapped(choice('variable', ident, typeId), variableOf)),
      beginning(isOneOf('('), named('PP', parenthesesRule(expression))),
      beginning(isOneOf('['), arrayRule(expression)),
      beginning(isOneOf('i'), ifExpressionRule(expression)),
    ),
  );

  const selector = selectorRule(expression);
  const postfix: Rule<Expression> = sequence(
    [atom, repeated(beginning(isOneOf('.['), selector))],
    ([base, selectors]) =>
      selectors.length === 0
        ? base
        : { kind: 'selection' as const, base, selectors, start: base.start, end: selectors.at(-1)!.end },
  );
  const unary: Rule<Expression> = named(
    'unaryExpr',
    choice<Expression>(
      'PP',
      named('PP', postfix),
      named(
        'PP',
        sequence([plain('!'), named('PP', postfix)], ([, operand], span) => ({
          kind: 'not' as const,
          operand,
          ...span,
        })),
      ),
    ),
  );
  const anyExpression = operatorChains(unary);
  return { expression, selector, call, memberCall, interpolated: interpolatedString(expression) };
};
