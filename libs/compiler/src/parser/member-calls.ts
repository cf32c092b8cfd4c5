import { type Span } from '../errors/span.js';
import { skipWhiteSpace } from '../lexer/white-space.js';
import {
  choice,
  type Failed,
  failed,
  mapped,
  named,
  type ParseState,
  repeated,
  repeatedOnce,
  type Rule,
  sequence,
  traced,
} from './rules.js';
import { type Call, type Expression, type ExpressionOf, type Name } from './syntax-tree.js';
import { ident, plain, typeId } from './tokens.js';

export const variableOf = ({ text, start, end }: Name): Expression => ({ kind: 'variable', name: text, start, end });

/** A chain of calls on an object; every call of it has the span of the whole chain. */
const chained = (object: Expression, tails: readonly (Call & Span)[]): ExpressionOf<'member call'> => {
  const span = { start: object.start, end: tails.at(-1)!.end };
  let result = object;
  for (const tail of tails) result = { ...tail, kind: 'member call', object: result, ...span };
  return result as ExpressionOf<'member call'>;
};

interface Parts {
  readonly expression: Rule<Expression>;
  /** `( '.' callTail )+` and `( '.' callTail )*` */
  readonly members: Rule<readonly (Call & Span)[]>;
  readonly furtherMembers: Rule<readonly (Call & Span)[]>;
}

const containsText = '.contains!';

/** Positions of `contains!` and of its argument, if `.contains!` and an opening bracket follow. */
const containsAhead = (state: ParseState): { readonly name: number; readonly argument: number } | undefined => {
  const dot = skipWhiteSpace(state.text, state.position);
  if (!state.text.startsWith(containsText, dot)) return undefined;
  const bracket = skipWhiteSpace(state.text, dot + containsText.length);
  return state.text[bracket] === '(' ? { name: dot + 1, argument: bracket + 1 } : undefined;
};

/** A call of a member that is called `contains!`, from behind its first argument on, if there is one. */
const restOfContainsCall = ({ expression, furtherMembers }: Parts) => {
  const otherArguments = repeated(sequence([plain(','), expression], ([, value]) => value));
  return (state: ParseState, map: Name, start: number, first: Expression | undefined): Expression | Failed => {
    const others = first ? otherArguments(state) : [];
    if (others === failed || plain(')')(state) === failed) return traced(state, 'callAbs', start);
    const name = { text: 'contains', start, end: start + containsText.length - 1, isBuiltIn: true };
    const call = {
      function: name,
      approvals: [],
      arguments: first ? [first, ...others] : [],
      start,
      end: state.position,
    };
    const tails = furtherMembers(state);
    return tails === failed ? failed : chained(variableOf(map), [call, ...tails]);
  };
};

/**
 * `ident '.contains!' '(' expr ')'`, or a member call on a name. Their common beginning is parsed once, otherwise keys in keys
 * would take exponential time. The first is tried first, so a commit inside the key makes it the only one.
 */
const containsOrMemberCall = (parts: Parts): Rule<Expression> => {
  const { expression, members } = parts;
  const rest = restOfContainsCall(parts);
  const memberCall = (state: ParseState, map: Name): Expression | Failed => {
    const tails = members(state);
    return tails === failed ? failed : chained(variableOf(map), tails);
  };
  return (state) => {
    const map = ident(state);
    if (map === failed) return failed;
    const { start } = map;
    const ahead = containsAhead(state);
    let call: Expression | Failed;
    if (!ahead) {
      call = memberCall(state, map);
    } else {
      state.position = ahead.argument;
      const key = expression(state);
      if (key !== failed && plain(')')(state) !== failed) {
        return { kind: 'contains', map, key, start, end: state.position };
      }
      if (state.isCommitted) return traced(state, 'mapContains', start);
      if (key === failed) state.position = ahead.argument;
      call = rest(state, map, ahead.name, key === failed ? undefined : key);
    }
    return call === failed ? traced(state, 'contractCallExpr', start) : call;
  };
};

/**
 * A member call on a conversion, or the conversion alone: their common beginning is parsed once. The member call is the first
 * alternative, so a commit inside the conversion makes it the only one (protocol 06 §3.4).
 */
const conversionOrMemberCall =
  (conversion: Rule<Expression>, { members }: Parts): Rule<Expression> =>
  (state) => {
    const start = skipWhiteSpace(state.text, state.position);
    const value = conversion(state);
    if (value === failed) return traced(state, 'contractCallExpr', start);
    const [before, hasCommitted] = [state.position, state.isCommitted];
    const tails = members(state);
    if (tails !== failed) return chained(value, tails);
    if (state.isCommitted || hasCommitted) return traced(state, 'contractCallExpr', start);
    state.position = before;
    return value;
  };

export interface MemberCallRules {
  /** `( conversion / ident ) ( '.' callTail )+` */
  readonly memberCall: Rule<ExpressionOf<'member call'>>;
  readonly containsOrMemberCall: Rule<Expression>;
  readonly conversionOrMemberCall: Rule<Expression>;
}

/** Member calls, and what begins like them. Asset scripts have conversions only. */
export const memberCallRules = (
  expression: Rule<Expression>,
  callTail: Rule<Call & Span>,
  isStateful: boolean,
): MemberCallRules => {
  const conversion: Rule<Expression> = named(
    'PP',
    sequence([typeId, plain('('), expression, plain(')')], ([type, , value], span) => ({
      kind: 'conversion' as const,
      type,
      value,
      ...span,
    })),
  );
  const member = sequence([plain('.'), callTail], ([, tail]) => tail);
  const parts: Parts = { expression, members: repeatedOnce(member), furtherMembers: repeated(member) };
  const object = choice<Expression>('object', conversion, mapped(ident, variableOf));
  return {
    memberCall: sequence([object, parts.members], ([of, tails]) => chained(of, tails)),
    containsOrMemberCall: containsOrMemberCall(parts),
    conversionOrMemberCall: isStateful ? conversionOrMemberCall(conversion, parts) : conversion,
  };
};
