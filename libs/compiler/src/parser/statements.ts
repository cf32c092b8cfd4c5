import { compileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { skipWhiteSpace } from '../lexer/white-space.js';
import { endOfName, isLetter, isLower, isOneOf, isUpper } from '../lexer/names.js';
import { type CodeKind, type ExpressionRules } from './expressions.js';
import { positionBehind } from './position-behind.js';
import {
  beginning,
  choice,
  commit,
  type Failed,
  failed,
  later,
  mapped,
  named,
  optional,
  type ParseState,
  repeated,
  repeatedOnce,
  type Rule,
  sequence,
} from './rules.js';
import {
  type Expression,
  type Selector,
  type Statement,
  type StatementBranch,
  type StatementOf,
  type Variable,
} from './syntax-tree.js';
import { type InterpolatedString } from './strings.js';
import { ident, keyword, plain, typeId } from './tokens.js';

/** How the label of a statement names calls: by what stands at its place (protocol 06 §10.5). */
const callLabel = ({ text, position }: ParseState): string => {
  const at = skipWhiteSpace(text, position);
  if (!isUpper(text.charCodeAt(at))) return 'Index ~ id.? ~ callAbs';
  const dot = text[skipWhiteSpace(text, endOfName(text, at))] === '.';
  return dot ? 'Index ~ id ~ "." ~ callAbs' : 'Index ~ id ~ ".".? ~ callAbs';
};

const statementLabel = (state: ParseState): string =>
  `(varDef | structDestruction | assign | debug | ${callLabel(state)} | mapCall | contractCall | ifelseStmt | whileStmt | forLoopStmt | ret | emitEvent)`;

/** @throws CompileError for a part that is not there, positioned on the keyword `for` */
const loopPart = (part: Statement | undefined, rule: 'noLoopStart' | 'noLoopUpdate', start: number): Statement => {
  if (part) return part;
  throw compileError(rule, { start, end: start + 'for'.length });
};

const spanTo = ({ start }: Span, { end }: Span): Span => ({ start, end });
const mutable = optional(keyword('mut'));

/** `let` with variables, and the destructuring of a struct. */
const declarationRules = (
  expression: Rule<Expression>,
): { readonly letRule: Rule<Statement>; readonly destructuring: Rule<Statement> } => {
  /** `mut? ident`, or `_`: no name. */
  const variable: Rule<{ readonly variable: Variable | undefined }> = choice<{ variable: Variable | undefined }>(
    'variable',
    sequence([mutable, ident], ([mut, name]) => ({ variable: { name, isMutable: mut !== undefined } })),
    mapped(plain('_'), () => ({ variable: undefined })),
  );
  const variables = choice<readonly { readonly variable: Variable | undefined }[]>(
    'variables',
    mapped(variable, (only) => [only]),
    sequence([plain('('), repeatedOnce(variable, plain(',')), plain(')')], ([, list]) => list),
  );
  const letRule = named(
    'varDef',
    sequence([keyword('let'), variables, commit, plain('='), expression], ([, list, , , value], span): Statement => ({
      kind: 'let',
      variables: list.map((each) => each.variable),
      value,
      ...spanTo(span, value),
    })),
  );

  const alias = optional(sequence([plain(':'), ident], ([, name]) => name));
  const destructured = sequence([mutable, ident, alias], ([mut, field, name]) => ({
    field,
    variable: { name: name ?? field, isMutable: mut !== undefined },
  }));
  const destructuring = named(
    'structDestruction',
    sequence(
      [
        keyword('let'),
        typeId,
        commit,
        plain('{'),
        repeated(destructured, plain(',')),
        plain('}'),
        plain('='),
        expression,
      ],
      ([, type, , , fields, , , value], span): Statement => {
        const whole = spanTo(span, value);
        if (fields.length === 0) throw compileError('noVariable', whole);
        return { kind: 'destructuring', type, fields, value, ...whole };
      },
    ),
  );
  return { letRule, destructuring };
};

const assignRule = (expression: Rule<Expression>, selector: Rule<Selector>): Rule<Statement> => {
  const target = named(
    'PP',
    sequence([ident, repeated(selector)], ([name, selectors], { start }) => ({
      name,
      selectors,
      start,
      end: selectors.at(-1)?.end ?? name.end,
    })),
  );
  return named(
    'assign',
    sequence([repeatedOnce(target, plain(',')), plain('='), expression], ([targets, , value], span): Statement => ({
      kind: 'assignment',
      targets,
      value,
      ...spanTo(span, value),
    })),
  );
};

const debugRule = (interpolated: Rule<InterpolatedString>): Rule<Statement> =>
  named(
    'debug',
    sequence(
      [plain('emit'), plain('Debug'), commit, plain('('), interpolated, plain(')')],
      ([, , , , string], span): Statement => ({ kind: 'debug', ...string, ...span }),
    ),
  );

/** Calls as statements: own and built-in functions, members. */
const callStatementRules = ({
  call,
  memberCall,
}: ExpressionRules): { readonly callStatement: Rule<Statement>; readonly memberCallStatement: Rule<Statement> } => {
  const callStatement = mapped(call, (value): Statement => ({
    kind: 'call statement',
    call: value,
    start: value.start,
    end: value.end,
  }));
  const memberCallStatement = named(
    'contractCall',
    mapped(memberCall, (value): Statement => ({
      kind: 'call statement',
      call: value,
      start: value.start,
      end: value.end,
    })),
  );
  return { callStatement, memberCallStatement };
};

const mapStatementRule = (listed: Rule<readonly Expression[]>): Rule<Statement> => {
  const mapOperation = (names: string, operation: 'insert' | 'remove') =>
    named(
      names,
      sequence(
        [ident, plain('.'), plain(`${operation}!`), plain('('), listed, plain(')')],
        ([map, , , , args], span): Statement => ({ kind: 'map statement', operation, map, arguments: args, ...span }),
      ),
    );
  return named(
    'mapCall',
    choice('map', mapOperation('insertToMap', 'insert'), mapOperation('removeFromMap', 'remove')),
  );
};

type Block = Rule<readonly Statement[]>;

const ifRule = (expression: Rule<Expression>, block: Block): Rule<Statement> => {
  const ifBranch: Rule<StatementBranch & Span> = named(
    'ifBranchStmt',
    sequence([keyword('if'), plain('('), expression, plain(')'), block], ([, , condition, , body], span) => ({
      condition,
      body,
      ...span,
    })),
  );
  const elseIfBranches = repeated(
    named(
      'elseIfBranchStmt',
      sequence([keyword('else'), ifBranch], ([, branch]) => branch),
    ),
  );
  const emptyBlock = sequence([plain('{'), plain('}')], (): readonly Statement[] => []);
  const elseBranch = optional(
    named(
      'elseBranchStmt',
      sequence([keyword('else'), choice('block', block, emptyBlock)], ([, body]) => body),
    ),
  );
  return named(
    'ifelseStmt',
    sequence([ifBranch, elseIfBranches, elseBranch], ([first, others, otherwise]): Statement => {
      const span = { start: first.start, end: first.end };
      if (others.length > 0 && !otherwise) throw compileError('noFinalElse', span);
      return { kind: 'if statement', branches: [first, ...others], otherwise, ...span };
    }),
  );
};

const whileRule = (expression: Rule<Expression>, block: Block): Rule<Statement> =>
  named(
    'whileStmt',
    sequence(
      [keyword('while'), commit, plain('('), expression, plain(')'), block],
      ([, , , condition, , body], span): Statement => ({ kind: 'while', condition, body, ...span }),
    ),
  );

const forRule = (expression: Rule<Expression>, statement: Rule<Statement>, block: Block): Rule<Statement> =>
  named(
    'forLoopStmt',
    sequence(
      [
        keyword('for'),
        commit,
        plain('('),
        optional(statement),
        plain(';'),
        expression,
        plain(';'),
        optional(statement),
        plain(')'),
        block,
      ],
      ([, , , first, , condition, , update, , body], span): StatementOf<'for'> => ({
        kind: 'for',
        first: loopPart(first as Statement | undefined, 'noLoopStart', span.start),
        condition,
        update: loopPart(update as Statement | undefined, 'noLoopUpdate', span.start),
        body,
        ...span,
      }),
    ),
  );

const returnRule = (listed: Rule<readonly Expression[]>): Rule<Statement> => {
  const oneReturn = named(
    'normalRet',
    sequence([keyword('return'), commit, listed], ([word, , values]): StatementOf<'return'> => {
      return { kind: 'return', values, start: word.start, end: values.at(-1)?.end ?? word.end };
    }),
  );
  return named('ret', (state): Statement | Failed => {
    const all = repeatedOnce(oneReturn)(state);
    if (all === failed) return failed;
    if (all.length === 1) return all[0]!;
    const last = all.at(-1)!.values.at(-1);
    const span = { start: all[0]!.start, end: last ? positionBehind(state, last) : state.position };
    throw compileError('consecutiveReturns', span);
  });
};

const emitRule = (listed: Rule<readonly Expression[]>): Rule<Statement> =>
  named(
    'emitEvent',
    sequence([plain('emit'), typeId, plain('('), listed, plain(')')], ([, event, , args], span): Statement => ({
      kind: 'emit',
      event,
      arguments: args,
      ...span,
    })),
  );

/** The rules of statements (protocol 06 §3.3). */
export const statementRule = (kind: CodeKind, rules: ExpressionRules): Rule<Statement> => {
  const { expression } = rules;
  const statement: Rule<Statement> = later(() => anyStatement);
  const listed = repeated(expression, plain(','));
  const block: Rule<readonly Statement[]> = named('block', (state) =>
    state.nested(
      sequence([plain('{'), repeatedOnce(statement), plain('}')], ([, statements]) => statements as Statement[]),
    ),
  );
  const { letRule, destructuring } = declarationRules(expression);
  const { callStatement, memberCallStatement } = callStatementRules(rules);
  const isStateful = kind === 'stateful';
  const anyStatement: Rule<Statement> = named(
    'statement',
    choice<Statement>(
      statementLabel,
      beginning(isOneOf('l'), letRule),
      beginning(isOneOf('l'), destructuring),
      beginning(isLower, assignRule(expression, rules.selector)),
      beginning(isOneOf('e'), debugRule(rules.interpolated)),
      beginning(isLetter, callStatement),
      ...(isStateful ? [beginning(isLower, mapStatementRule(listed)), beginning(isLetter, memberCallStatement)] : []),
      beginning(isOneOf('i'), ifRule(expression, block)),
      beginning(isOneOf('w'), whileRule(expression, block)),
      beginning(isOneOf('f'), forRule(expression, statement, block)),
      beginning(isOneOf('r'), returnRule(listed)),
      ...(isStateful ? [beginning(isOneOf('e'), emitRule(listed))] : []),
    ),
  );
  return anyStatement;
};
