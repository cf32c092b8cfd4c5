import ts from 'typescript';

/** One small change of a source file that its specs should notice. */
export interface Mutant {
  /** From the root of the repository. */
  readonly path: string;
  readonly line: number;
  /** Place of the changed text, in UTF-16 units from the begin of the file. */
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
}

const pairs = ['=== !==', '< <=', '> >=', '&& ||', '+ -', '* /', '+= -=', 'min max', 'some every'].map((pair) =>
  pair.split(' '),
);
/** Operators and methods by those that they replace. */
const others = new Map(
  pairs
    .flatMap(([a, b]) => [[a, b] as const, [b, a] as const])
    .concat([
      ['??', '&&'],
      ['%', '*'],
    ]),
);
/** Calls that may be left out: what they are called on remains. */
const narrowing = new Set(['filter', 'sort', 'toSorted', 'reverse', 'slice']);

const changesOf = (node: ts.Node): readonly (string | undefined)[] => {
  if (ts.isBinaryExpression(node)) {
    const operator = others.get(node.operatorToken.getText());
    return [operator && `(${node.left.getText()} ${operator} ${node.right.getText()})`];
  }
  if (ts.isPrefixUnaryExpression(node)) return [`(${node.operand.getText()})`];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    if (narrowing.has(name.text)) return [expression.getText()];
    const other = others.get(name.text);
    return [
      other && `${expression.getText()}.${other}(${node.arguments.map((argument) => argument.getText()).join()})`,
    ];
  }
  if (ts.isNumericLiteral(node)) return [`(${node.text} + 1)`];
  if (ts.isBigIntLiteral(node)) return [`(${node.getText()} + 1n)`];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['false'];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ['true'];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return ['[]'];
  if (ts.isReturnStatement(node) && node.expression) {
    return node.expression.getText() === 'undefined' ? [] : ['return undefined;'];
  }
  if (ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node)) return [';'];
  // Log lines are no behaviour here, and a class without super() is none.
  if (ts.isExpressionStatement(node) && !/\blogger\b|^super\(/.test(node.getText())) return [';'];
  return [];
};

/** All mutants of a file, in the order of the text. Strings, types, imports and log lines have none. */
export const mutantsOf = (path: string, source: string): Mutant[] => {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    const { parent } = node;
    const isCondition =
      (ts.isIfStatement(parent) && parent.expression === node) ||
      (ts.isConditionalExpression(parent) && parent.condition === node);
    const [start, from] = [node.getStart(), node.getText()];
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    for (const to of [...(isCondition ? ['true', 'false'] : []), ...changesOf(node)]) {
      if (to !== undefined && to !== from) mutants.push({ path, line, start, end: node.end, from, to });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return mutants;
};
