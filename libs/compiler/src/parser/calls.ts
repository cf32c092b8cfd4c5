import { compileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { named, optional, repeated, repeatedOnce, type Rule, sequence } from './rules.js';
import { type Approval, type Call, type Expression, type ExpressionOf } from './syntax-tree.js';
import { functionName, plain, typeId } from './tokens.js';

/** Approved assets in braces (protocol 06 §3.3). */
const approvalsRule = (expression: Rule<Expression>): Rule<readonly Approval[]> => {
  const tokenAmount = named(
    'tokenAmount',
    sequence([expression, plain(':'), expression], ([token, , amount]) => ({ token, amount })),
  );
  const approval: Rule<Approval> = named(
    'PP',
    sequence(
      [expression, plain('->'), named('amountList', repeated(tokenAmount, plain(',')))],
      ([address, arrow, amounts]) => {
        if (amounts.length > 0) return { address, amounts };
        throw compileError('noApprovedAsset', { start: arrow.end, end: arrow.end + 1 });
      },
    ),
  );
  return named(
    'approveAssets',
    sequence([plain('{'), repeatedOnce(approval, plain(';')), optional(plain(';')), plain('}')], ([, list]) => list),
  );
};

export interface CallRules {
  readonly callTail: Rule<Call & Span>;
  /** `( typeId '.' )? callTail` */
  readonly call: Rule<ExpressionOf<'call'>>;
}

export const callRules = (expression: Rule<Expression>): CallRules => {
  const listed = repeated(expression, plain(','));
  const approvals = approvalsRule(expression);
  const callTail: Rule<Call & Span> = named(
    'callAbs',
    sequence([functionName, optional(approvals), plain('('), listed, plain(')')], ([name, approved, , args], span) => ({
      function: name,
      approvals: approved ?? [],
      arguments: args,
      ...span,
    })),
  );
  const ownType = optional(sequence([typeId, plain('.')], ([name]) => name));
  const call: Rule<ExpressionOf<'call'>> = sequence([ownType, callTail], ([type, tail], span) => ({
    ...tail,
    kind: 'call' as const,
    type,
    ...span,
  }));
  return { callTail, call };
};
