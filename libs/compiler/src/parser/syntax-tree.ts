import { type Val } from '@shardnode/protocol/script';
import { type Span } from '../errors/span.js';

/** A name where it is written. Built-in functions have an `!`, which is not part of `text` (protocol 06 §2.2). */
export interface Name extends Span {
  readonly text: string;
}

export interface FunctionName extends Name {
  readonly isBuiltIn: boolean;
}

/** A written type (protocol 06 §4.1). */
export type TypeNode =
  | ({ readonly kind: 'named'; readonly name: string } & Span)
  | ({ readonly kind: 'array'; readonly element: TypeNode; readonly size: number; readonly sizeSpan: Span } & Span);

export interface Approval {
  readonly address: Expression;
  readonly amounts: readonly { readonly token: Expression; readonly amount: Expression }[];
}

export type Selector =
  | ({ readonly kind: 'field'; readonly name: Name } & Span)
  /** The span has the brackets. */
  | ({ readonly kind: 'index'; readonly index: Expression } & Span);

export type BinaryOperator =
  | ('||' | '&&' | '==' | '!=' | '<=' | '<' | '>=' | '>' | '|' | '^' | '&' | '<<' | '>>' | '++' | '+' | '-')
  | ('|+|' | '|-|' | '*' | '/' | '%' | '|*|' | '**' | '|**|');

export interface Call {
  /** `T` of `T.f!(...)`. */
  readonly type?: Name | undefined;
  readonly function: FunctionName;
  readonly approvals: readonly Approval[];
  readonly arguments: readonly Expression[];
}

export type Expression = Span &
  (
    | { readonly kind: 'literal'; readonly value: Val }
    | { readonly kind: 'coin token id' }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'enum value'; readonly enumName: string; readonly field: Name }
    | { readonly kind: 'parentheses'; readonly inner: Expression }
    | { readonly kind: 'not'; readonly operand: Expression }
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    | ({ readonly kind: 'call' } & Call)
    | ({ readonly kind: 'member call'; readonly object: Expression } & Call)
    | { readonly kind: 'conversion'; readonly type: Name; readonly value: Expression }
    | { readonly kind: 'array'; readonly elements: readonly Expression[] }
    | { readonly kind: 'repeated array'; readonly element: Expression; readonly size: number }
    | {
        readonly kind: 'struct value';
        readonly type: Name;
        readonly fields: readonly { readonly name: Name; readonly value?: Expression | undefined }[];
      }
    | { readonly kind: 'selection'; readonly base: Expression; readonly selectors: readonly Selector[] }
    | { readonly kind: 'contains'; readonly map: Name; readonly key: Expression }
    | { readonly kind: 'if'; readonly branches: readonly ValueBranch[]; readonly otherwise: Expression }
  );

export type ExpressionOf<Kind extends Expression['kind']> = Extract<Expression, { readonly kind: Kind }>;

export interface ValueBranch {
  readonly condition: Expression;
  readonly value: Expression;
}

export interface Variable {
  readonly name: Name;
  readonly isMutable: boolean;
}

export interface Target extends Span {
  readonly name: Name;
  readonly selectors: readonly Selector[];
}

export interface StatementBranch {
  readonly condition: Expression;
  readonly body: readonly Statement[];
}

export type Statement = Span &
  /** A variable without a name is `_`. */
  (
    | { readonly kind: 'let'; readonly variables: readonly (Variable | undefined)[]; readonly value: Expression }
    | {
        readonly kind: 'destructuring';
        readonly type: Name;
        readonly fields: readonly { readonly field: Name; readonly variable: Variable }[];
        readonly value: Expression;
      }
    | { readonly kind: 'assignment'; readonly targets: readonly Target[]; readonly value: Expression }
    | { readonly kind: 'debug'; readonly pieces: readonly string[]; readonly holes: readonly Expression[] }
    | { readonly kind: 'call statement'; readonly call: ExpressionOf<'call' | 'member call'> }
    | {
        readonly kind: 'map statement';
        readonly operation: 'insert' | 'remove';
        readonly map: Name;
        readonly arguments: readonly Expression[];
      }
    | {
        readonly kind: 'if statement';
        readonly branches: readonly StatementBranch[];
        /** Undefined: there is no else part. */
        readonly otherwise: readonly Statement[] | undefined;
      }
    | { readonly kind: 'while'; readonly condition: Expression; readonly body: readonly Statement[] }
    | {
        readonly kind: 'for';
        readonly first: Statement;
        readonly condition: Expression;
        readonly update: Statement;
        readonly body: readonly Statement[];
      }
    | { readonly kind: 'return'; readonly values: readonly Expression[] }
    | { readonly kind: 'emit'; readonly event: Name; readonly arguments: readonly Expression[] }
  );

export type StatementOf<Kind extends Statement['kind']> = Extract<Statement, { readonly kind: Kind }>;

export interface Argument extends Span {
  readonly name: Name;
  readonly type: TypeNode;
  readonly isMutable: boolean;
  readonly isUnused: boolean;
}

/** Values of `@using` of a function, with its defaults (protocol 06 §3.6). */
export interface FunctionUsing {
  readonly preapprovedAssets: boolean;
  readonly assetsInContract: boolean | 'enforced';
  readonly payToContractOnly: boolean;
  readonly checkExternalCaller: boolean;
  readonly updateFields: boolean;
  readonly methodIndex: number | undefined;
  /** Whether `checkExternalCaller` is written. */
  readonly namesCheckExternalCaller: boolean;
}

export interface FunctionNode extends Span {
  readonly name: FunctionName;
  readonly isPublic: boolean;
  readonly using: FunctionUsing;
  readonly parameters: readonly Argument[];
  readonly results: readonly TypeNode[];
  /** Undefined: abstract. */
  readonly body: readonly Statement[] | undefined;
}

export interface MapNode extends Span {
  readonly name: Name;
  readonly key: TypeNode;
  readonly value: TypeNode;
}

export interface EventNode extends Span {
  readonly name: Name;
  readonly fields: readonly { readonly name: Name; readonly type: TypeNode }[];
}

export interface ConstantNode extends Span {
  readonly name: Name;
  readonly value: Expression;
}

export interface EnumField extends Span {
  readonly name: Name;
  readonly value: Val;
}

export interface EnumNode extends Span {
  readonly name: Name;
  readonly fields: readonly EnumField[];
}

export interface StructNode extends Span {
  readonly kind: 'struct';
  readonly name: Name;
  readonly fields: readonly StructFieldNode[];
}

interface StructFieldNode extends Span {
  readonly name: Name;
  readonly type: TypeNode;
  readonly isMutable: boolean;
}

export interface ScriptNode extends Span {
  readonly kind: 'script';
  readonly name: Name;
  readonly parameters: readonly Argument[];
  readonly using: FunctionUsing;
  readonly statements: readonly Statement[];
  readonly functions: readonly FunctionNode[];
}

export interface ContractParent {
  readonly name: Name;
  /** Undefined: behind `implements`, without a list of fields. */
  readonly fields: readonly Name[] | undefined;
}

export interface ContractNode extends Span {
  readonly kind: 'contract';
  readonly name: Name;
  readonly isAbstract: boolean;
  readonly fields: readonly Argument[];
  readonly parents: readonly ContractParent[];
  /** `@std(enabled = ...)`; undefined: not written. */
  readonly stdIdEnabled: boolean | undefined;
  readonly maps: readonly MapNode[];
  readonly events: readonly EventNode[];
  readonly constants: readonly ConstantNode[];
  readonly enums: readonly EnumNode[];
  readonly functions: readonly FunctionNode[];
}

export interface InterfaceNode extends Span {
  readonly kind: 'interface';
  readonly name: Name;
  readonly parents: readonly Name[];
  readonly stdId: Uint8Array | undefined;
  readonly usesMethodSelector: boolean;
  readonly events: readonly EventNode[];
  readonly functions: readonly FunctionNode[];
}

export interface AssetScriptNode extends Span {
  readonly kind: 'asset script';
  readonly name: Name;
  readonly parameters: readonly Argument[];
  readonly functions: readonly FunctionNode[];
}

export type Entity = ScriptNode | ContractNode | InterfaceNode | StructNode;
