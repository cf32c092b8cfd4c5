import {
  type ConstantNode,
  type ContractNode,
  type EnumField,
  type EventNode,
  type FunctionNode,
  type InterfaceNode,
  type MapNode,
  type Name,
  type ScriptNode,
} from '../parser/syntax-tree.js';

/** A function in the merged list of an entity. */
export interface MergedFunction {
  readonly node: FunctionNode;
  readonly name: string;
  /** Index in method calls: the position in the list, for interfaces with predefined indexes (protocol 06 §5.5). */
  readonly index: number;
  /** Whether calls through an interface, and the method itself, use a selector (protocol 06 §5.5). */
  readonly usesSelector: boolean;
}

export interface MergedEnum {
  readonly name: Name;
  readonly fields: readonly EnumField[];
}

/** Members that an entity inherits (protocol 06 §5.4). */
export interface Members {
  readonly functions: readonly MergedFunction[];
  readonly events: readonly EventNode[];
  readonly constants: readonly ConstantNode[];
  readonly enums: readonly MergedEnum[];
  readonly maps: readonly MapNode[];
  /** The standard interface id without its prefix, if the contract has the field for it (protocol 06 §5.6). */
  readonly stdId: Uint8Array | undefined;
}

export type ResolvedEntity = Members &
  (
    | { readonly kind: 'contract'; readonly node: ContractNode }
    | { readonly kind: 'interface'; readonly node: InterfaceNode }
    | { readonly kind: 'script'; readonly node: ScriptNode }
  );

export type ResolvedContract = Extract<ResolvedEntity, { readonly kind: 'contract' }>;
export type ResolvedScript = Extract<ResolvedEntity, { readonly kind: 'script' }>;
