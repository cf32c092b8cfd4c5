import { compileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { choice, failed, named, repeated, type Rule, sequence } from './rules.js';
import { type Expression } from './syntax-tree.js';
import { plain } from './tokens.js';
import { arraySize } from './types.js';

/** Copies of an element that a literal `[...; n]` may make, those of literals inside it included (protocol 06 §14). */
const longestArray = 65_535;
const products = new WeakMap<Expression, number>();
const partsOf = (node: Expression): readonly Expression[] => {
  switch (node.kind) {
    case 'literal':
    case 'coin token id':
    case 'variable':
    case 'enum value':
      return [];
    case 'parentheses':
      return [node.inner];
    case 'not':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'call':
      return node.arguments;
    case 'member call':
      return [node.object, ...node.arguments];
    case 'conversion':
      return [node.value];
    case 'array':
      return node.elements;
    case 'repeated array':
      return [node.element];
    case 'struct value':
      return node.fields.flatMap(({ value }) => (value ? [value] : []));
    case 'selection':
      return [node.base, ...node.selectors.flatMap((each) => (each.kind === 'index' ? [each.index] : []))];
    case 'contains':
      return [node.key];
    case 'if':
      return [...node.branches.flatMap(({ condition, value }) => [condition, value]), node.otherwise];
  }
};

/** The largest product of counts of the literals `[...; n]` inside an expression, itself included. */
const repetitions = (root: Expression): number => {
  let most = 1;
  const waiting: { readonly node: Expression; readonly product: number }[] = [{ node: root, product: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const known = products.get(next.node);
    const product = next.product * (next.node.kind === 'repeated array' ? next.node.size : 1);
    most = Math.max(most, known === undefined ? product : next.product * known);
    if (known === undefined) for (const node of partsOf(next.node)) waiting.push({ node, product });
  }
  products.set(root, most);
  return most;
};

/** `'[' expr % ',' ']' / '[' expr ';' count ']'` (protocol 06 §3.4). */
export const arrayRule = (expression: Rule<Expression>): Rule<Expression> => {
  const others = repeated(sequence([plain(','), expression], ([, element]) => element));
  const afterFirstElement = choice<{ readonly elements?: Expression[]; readonly size?: Span & { size: number } }>(
    'array',
    sequence([others, plain(']')], ([elements]) => ({
      elements,
    })),
    sequence([plain(';'), arraySize, plain(']')], ([, size]) => ({ size })),
  );
  // Both forms begin alike: their common beginning is parsed once.
  return named('arrayExpr PP', (state) => {
    const start = state.skip();
    if (plain('[')(state) === failed) return failed;
    const first = expression(state);
    if (first === failed) return failed;
    if (state.isCommitted) {
      // The first form has committed: it is the only one.
      const more = others(state);
      if (more === failed || plain(']')(state) === failed) return failed;
      return { kind: 'array', elements: [first, ...more], start, end: state.position };
    }
    const rest = afterFirstElement(state);
    if (rest === failed) return failed;
    const span = { start, end: state.position };
    if (rest.elements) return { kind: 'array', elements: [first, ...rest.elements], ...span };
    const { size, ...sizeSpan } = rest.size!;
    if (size === 0 || size * repetitions(first) > longestArray) {
      throw compileError('invalidArraySize', sizeSpan, { size });
    }
    return { kind: 'repeated array', element: first, size, ...span };
  });
};
