import { compileError, type CompileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { type Warning } from '../errors/warnings.js';
import { primitiveNames } from '../lexer/names.js';
import { type Expression, type FunctionNode, type Name } from '../parser/syntax-tree.js';
import { type MergedFunction, type ResolvedEntity } from '../project/index.js';
import { type TypeTable } from '../types/type-table.js';
import { type Type } from '../types/type.js';
import { positionByName } from './by-name.js';
import { NameTable } from './name-table.js';

/** Private functions of all contracts of an operation, for warnings that come once. */
export interface PrivateFunctions {
  /** The names of the contracts that have the functions. */
  readonly owners: ReadonlyMap<FunctionNode, string>;
  /** Called in a contract or in a child of it. */
  readonly called: Set<FunctionNode>;
  readonly reported: Set<FunctionNode>;
}

/** State that all entities of one operation share. */
export interface Operation {
  readonly types: TypeTable;
  readonly entities: ReadonlyMap<string, ResolvedEntity>;
  /**
   * Types of `selfContract!()` and calls that were recorded, by node: a function that is inherited is one tree, and keeps
   * what its first child gave it (protocol 06 §1.3).
   */
  readonly selfTypes: Map<Expression, Type>;
  readonly recordedCalls: Set<Expression>;
  /** Undefined: each entity warns of the functions that it does not call. */
  readonly privateFunctions: PrivateFunctions | undefined;
  /** Sums that are bounded in one operation (protocol 06 §14). */
  readonly made: { instructions: number; concatenatedBytes: number; resultCharacters: number };
}

export const newOperation = (
  types: TypeTable,
  entities: ReadonlyMap<string, ResolvedEntity>,
  privateFunctions?: PrivateFunctions,
): Operation => ({
  types,
  entities,
  selfTypes: new Map(),
  recordedCalls: new Set(),
  privateFunctions,
  made: { instructions: 0, concatenatedBytes: 0, resultCharacters: 0 },
});

/** The compiled entity: the names that checks and generation need of it. */
export interface CompiledEntity {
  readonly kind: 'contract' | 'script' | 'asset script';
  readonly name: Name;
  readonly functions: readonly MergedFunction[];
  /** Undefined for asset scripts. */
  readonly resolved: ResolvedEntity | undefined;
}

/** A function of another contract or interface that is called (protocol 06 §6.10). */
interface ExternalCall {
  readonly type: string;
  readonly function: string;
}

/** Calls of one function, for the warnings of protocol 06 §6.9 and §6.10. */
export interface RecordedCalls {
  readonly local: Set<string>;
  readonly external: ExternalCall[];
}

/** One entity while it is checked and generated. */
export class EntityContext {
  readonly names: NameTable;
  readonly warnings: Warning[] = [];
  readonly calls = new Map<string, RecordedCalls>();
  private readonly expressionTypes = new Map<Expression, readonly Type[]>();
  /** The function that is checked or generated; undefined between functions. */
  owner: string | undefined;

  constructor(
    readonly operation: Operation,
    readonly entity: CompiledEntity,
    /** Types an expression; here, because expressions and what they consist of need each other. */
    private readonly check: (context: EntityContext, node: Expression) => readonly Type[],
  ) {
    this.names = new NameTable(operation.types);
  }

  get types(): TypeTable {
    return this.operation.types;
  }

  /** The type list of an expression, checked on the first visit (protocol 06 §6.6). @throws CompileError */
  typesOf(node: Expression): readonly Type[] {
    const known = this.expressionTypes.get(node);
    if (known) return known;
    const types = this.check(this, node);
    this.expressionTypes.set(node, types);
    return types;
  }

  typesOfAll(nodes: readonly Expression[]): readonly Type[] {
    return nodes.flatMap((node) => this.typesOf(node));
  }

  /** The type of an expression that is known to have one. */
  typeOf(node: Expression): Type {
    return this.typesOf(node)[0]!;
  }

  isTyped(node: Expression): boolean {
    return this.expressionTypes.has(node);
  }

  /** The types of an expression that were found on the way to another one. */
  setTypes(node: Expression, types: readonly Type[]): void {
    this.expressionTypes.set(node, types);
  }

  callsOf(name: string): RecordedCalls {
    let calls = this.calls.get(name);
    if (!calls) this.calls.set(name, (calls = { local: new Set(), external: [] }));
    return calls;
  }

  /** The own function of that name, found with or without `!` as it was declared (protocol 06 §6.1). */
  ownFunction(name: string): MergedFunction | undefined {
    return functionNamed(this.entity.functions, name, false);
  }
}

/** The error of a type, or a value of it, that no entity of the source has. */
export const unknownContract = ({ operation, types }: EntityContext, name: string, span: Span): CompileError =>
  compileError('unknownContract', span, { name }).knowing([
    ...primitiveNames,
    ...operation.entities.keys(),
    ...types.structNames(),
  ]);

/** Functions of one name with and without `!` are different ones. */
export const nameWithSign = ({ name, node }: MergedFunction): string => (node.name.isBuiltIn ? `${name}!` : name);

export const functionNamed = (
  functions: readonly MergedFunction[],
  name: string,
  isBuiltIn: boolean,
): MergedFunction | undefined => functions[positionByName(functions, isBuiltIn ? `${name}!` : name, nameWithSign)];

/** Functions of an entity that its functions call. */
export const calledFunctions = ({ entity, calls }: EntityContext): readonly MergedFunction[] => {
  const called = new Set([...calls.values()].flatMap(({ local }) => [...local]));
  return entity.functions.filter(({ name }) => called.has(name));
};

/** The position of an event of the entity; -1: there is none of that name. */
export const eventPosition = ({ resolved }: CompiledEntity, name: string): number =>
  positionByName(resolved?.events ?? [], name, (event) => event.name.text);

export const parameterTypes = (types: TypeTable, { parameters }: FunctionNode): Type[] =>
  parameters.map(({ type }) => types.resolve(type));

export const resultTypes = (types: TypeTable, { results }: FunctionNode): Type[] =>
  results.map((type) => types.resolve(type));
