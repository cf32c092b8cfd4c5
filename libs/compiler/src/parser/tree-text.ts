import { type LockupScript } from '@shardnode/protocol/primitives';
import { type Val } from '@shardnode/protocol/script';
import { longestList } from '../errors/list-text.js';
import { leftSpine } from './left-spine.js';
import { type Approval, type Call, type Expression, type ExpressionOf } from './syntax-tree.js';

const hash = (hex: string): string => `Blake2b(hex"${hex}")`;

const lockupText = (script: LockupScript): string => {
  switch (script.kind) {
    case 'p2pkh':
      return `P2PKH(${hash(script.publicKeyHash)})`;
    case 'p2sh':
      return `P2SH(${hash(script.scriptHash)})`;
    case 'p2mpkh':
      return `P2MPKH(Iterable(${script.publicKeyHashes.map(hash).join(', ')}),${script.m})`;
    case 'p2c':
      return `P2C(ContractId(hex"${script.contractId}"))`;
  }
};

/** A value as messages show it; equal values, and only they, have the same. */
export const valueText = (val: Val): string => {
  switch (val.type) {
    case 'ByteVec':
      return `ByteVec(ByteString(${[...Int8Array.from(val.value)].join(', ')}))`;
    case 'Address':
      return `Address(${lockupText(val.value)})`;
    default:
      return `${val.type}(${val.value})`;
  }
};

/** Operators that the reference names; the others it shows as a memory address (protocol 06 §11.2). */
const operatorNames: Readonly<Record<string, string>> = { '&&': 'And', '||': 'Or', '==': 'Eq', '!=': 'Ne' };

const list = (texts: readonly string[]): string => `List(${texts.join(', ')})`;

/** Writes trees up to a length: `[e; n]` shows n times what may have arrays in it again. */
class TreeWriter {
  private left = longestList;

  get isFull(): boolean {
    return this.left < 0;
  }

  /** Counts what a node writes besides the nodes inside it. */
  private counted(text: string): string {
    this.left -= text.length;
    return text;
  }

  list(nodes: readonly Expression[]): string {
    return list(this.all(nodes, (node) => this.tree(node)));
  }

  all<T>(entries: readonly T[], textOf: (entry: T) => string): string[] {
    const texts: string[] = [];
    for (const entry of entries) {
      if (this.isFull) break;
      texts.push(textOf(entry));
    }
    return texts;
  }

  /** The tree of one node so many times. */
  repeated(node: Expression, count: number): string {
    const before = this.left;
    const text = this.tree(node);
    const shown = Math.min(count, 1 + Math.max(0, Math.floor(this.left / (before - this.left))));
    this.left -= (count - 1) * (before - this.left);
    return list(Array.from({ length: shown }, () => text));
  }

  tree(node: Expression): string {
    if (this.isFull) return '';
    switch (node.kind) {
      case 'literal':
        return this.counted(`Const(${valueText(node.value)})`);
      case 'coin token id':
        return this.counted('ALPHTokenId()');
      case 'variable':
        return this.counted(`Variable(Ident(${node.name}))`);
      case 'enum value':
        return this.counted(`EnumFieldSelector(TypeId(${node.enumName}),Ident(${node.field.text}))`);
      case 'parentheses':
        return `ParenExpr(${this.tree(node.inner)})`;
      case 'not':
        return `UnaryOp(Not,${this.tree(node.operand)})`;
      case 'binary':
        return this.binary(node);
      case 'call':
        return this.call(node);
      case 'member call':
        return this.memberCall(node);
      case 'conversion':
        return `ContractConv(${this.counted(`TypeId(${node.type.text})`)},${this.tree(node.value)})`;
      case 'array':
        return `CreateArrayExpr(${this.list(node.elements)})`;
      case 'repeated array':
        return `CreateArrayExpr(${this.repeated(node.element, node.size)})`;
      case 'struct value':
        return this.structValue(node);
      case 'selection':
        return this.selection(node);
      case 'contains':
        return `MapContains(${this.counted(`Ident(${node.map.text})`)},${this.tree(node.key)})`;
      case 'if':
        return this.ifExpression(node);
    }
  }

  private binary(node: ExpressionOf<'binary'>): string {
    const { first, steps } = leftSpine(node, 'binary', ({ left }) => left);
    const heads = steps.map(({ operator }) => this.counted(`Binop(${operatorNames[operator] ?? '<operator>'},`));
    const tails = [this.tree(first), ...this.all(steps.reverse(), ({ right }) => `,${this.tree(right)})`)];
    return heads.join('') + tails.join('');
  }

  private call(node: ExpressionOf<'call'>): string {
    return node.type === undefined
      ? `CallExpr(${this.callParts(node)})`
      : `ContractStaticCallExpr(${this.counted(`TypeId(${node.type.text})`)},${this.callParts(node)})`;
  }

  private memberCall(node: ExpressionOf<'member call'>): string {
    const { first, steps } = leftSpine(node, 'member call', ({ object }) => object);
    const heads = this.counted('ContractCallExpr('.repeat(steps.length));
    const tails = [this.tree(first), ...this.all(steps.reverse(), (each) => `,${this.callParts(each)})`)];
    return heads + tails.join('');
  }

  private callParts({ function: { text, isBuiltIn }, approvals, arguments: args }: Call): string {
    const name = this.counted(`FuncId(${text},${isBuiltIn})`);
    return `${name},${list(this.all(approvals, (each) => this.approval(each)))},${this.list(args)}`;
  }

  private approval({ address, amounts }: Approval): string {
    const of = this.tree(address);
    return `ApproveAsset(${of},${list(this.all(amounts, (each) => this.amount(each)))})`;
  }

  amount({ token, amount }: Approval['amounts'][number]): string {
    return `(${this.tree(token)},${this.tree(amount)})`;
  }

  private structValue({ type, fields }: ExpressionOf<'struct value'>): string {
    const values = this.all(fields, ({ name, value }) => {
      const key = this.counted(`Ident(${name.text})`);
      return `(${key},${value ? `Some(${this.tree(value)})` : 'None'})`;
    });
    return `StructCtor(${this.counted(`TypeId(${type.text})`)},${list(values)})`;
  }

  private selection({ base, selectors }: ExpressionOf<'selection'>): string {
    const of = this.tree(base);
    const parts = this.all(selectors, (each) =>
      each.kind === 'field'
        ? this.counted(`IdentSelector(Ident(${each.name.text}))`)
        : `IndexSelector(${this.tree(each.index)})`,
    );
    return `LoadDataBySelectors(${of},${list(parts)})`;
  }

  private ifExpression({ branches, otherwise }: ExpressionOf<'if'>): string {
    const texts = this.all(
      branches,
      ({ condition, value }) => `IfBranchExpr(${this.tree(condition)},${this.tree(value)})`,
    );
    return `IfElseExpr(${list(texts)},ElseBranchExpr(${this.tree(otherwise)}))`;
  }
}

const written = (write: (writer: TreeWriter) => string): string => {
  const writer = new TreeWriter();
  const text = write(writer);
  return writer.isFull ? `${text}...` : text;
};

/** The syntax tree of an expression as messages show it (protocol 06 §11.2); a very long one is cut. */
export const treeText = (node: Expression): string => written((writer) => writer.tree(node));

/** Trees of the elements of an array literal: `List(<tree>, <tree>)`. */
export const elementsText = (node: ExpressionOf<'array' | 'repeated array'>): string =>
  written((writer) => (node.kind === 'array' ? writer.list(node.elements) : writer.repeated(node.element, node.size)));

/** Tokens and amounts of an approval: `List((<tree>,<tree>), ...)`. */
export const amountsText = (amounts: Approval['amounts']): string =>
  written((writer) => list(writer.all(amounts, (each) => writer.amount(each))));
