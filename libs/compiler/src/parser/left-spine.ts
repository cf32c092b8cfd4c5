import { type Expression, type ExpressionOf } from './syntax-tree.js';

/**
 * A chain of operators or member calls, outermost first, and the expression that it begins with. Chains may be as long as
 * the source, so they are walked instead of descended.
 */
export const leftSpine = <Kind extends 'binary' | 'member call'>(
  outermost: ExpressionOf<Kind>,
  kind: Kind,
  next: (node: ExpressionOf<Kind>) => Expression,
): { readonly first: Expression; readonly steps: ExpressionOf<Kind>[] } => {
  const steps: ExpressionOf<Kind>[] = [];
  let node: Expression = outermost;
  while (node.kind === kind) {
    steps.push(node as ExpressionOf<Kind>);
    node = next(node as ExpressionOf<Kind>);
  }
  return { first: node, steps };
};
