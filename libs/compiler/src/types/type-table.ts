import { compileError, type CompileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { isPrimitiveName } from '../lexer/names.js';
import { type StructNode, type TypeNode } from '../parser/syntax-tree.js';
import { primitive, type Type } from './type.js';

export interface StructField {
  readonly name: string;
  readonly type: Type;
  readonly isMutable: boolean;
}

/** Most slots of an array or struct (protocol 06 §14). */
const mostSlots = 65_535;

/** Slots of a type by kind, for a mutable variable (protocol 06 §4.2). */
export interface SlotCounts {
  readonly all: number;
  readonly mutable: number;
}

/**
 * The types of one operation: what written types stand for, how structs are laid out, and where errors of contract types
 * are shown (protocol 06 §4).
 */
export class TypeTable {
  private readonly resolved = new Map<TypeNode, Type>();
  /** Of each contract name: the mention that was resolved first (protocol 06 §4.1). */
  private readonly mentions = new Map<string, Span>();
  private readonly fields = new Map<string, readonly StructField[]>();
  private readonly checked = new Set<string>();
  private readonly partCounts = new Map<string, number>();
  private readonly structCounts = new Map<string, SlotCounts>();

  constructor(private readonly structs: ReadonlyMap<string, StructNode>) {}

  struct(name: string): StructNode | undefined {
    return this.structs.get(name);
  }

  structNames(): Iterable<string> {
    return this.structs.keys();
  }

  /** The type that a written one stands for. */
  resolve(node: TypeNode): Type {
    const known = this.resolved.get(node);
    if (known) return known;
    const type = node.kind === 'array' ? this.arrayOf(node) : this.namedType(node.name, node);
    this.resolved.set(node, type);
    return type;
  }

  private arrayOf(node: Extract<TypeNode, { kind: 'array' }>): Type {
    return { kind: 'array', element: this.resolve(node.element), size: node.size, node };
  }

  private namedType(name: string, span: Span): Type {
    if (isPrimitiveName(name)) return primitive(name);
    if (this.structs.has(name)) return { kind: 'struct', name };
    const first = this.mentions.get(name) ?? { start: span.start, end: span.end };
    this.mentions.set(name, first);
    return { kind: 'contract', name, span: first };
  }

  /** The fields of a struct that exists. */
  fieldsOf(name: string): readonly StructField[] {
    const known = this.fields.get(name);
    if (known) return known;
    const fields = this.structs.get(name)!.fields.map((field) => ({
      name: field.name.text,
      type: this.resolve(field.type),
      isMutable: field.isMutable,
    }));
    this.fields.set(name, fields);
    return fields;
  }

  fieldOf(struct: string, field: string): StructField | undefined {
    return this.fieldsOf(struct).find(({ name }) => name === field);
  }

  /** Slots of the type, for a variable that is declared `mut` and all slots of one that is not. */
  counts(type: Type): SlotCounts {
    switch (type.kind) {
      case 'array': {
        const element = this.counts(type.element);
        const all = element.all * type.size;
        if (all > mostSlots) throw this.tooLarge(type);
        return { all, mutable: element.mutable * type.size };
      }
      case 'struct':
        return this.countsOfStruct(type.name);
      case 'map':
        return { all: 0, mutable: 0 };
      default:
        return { all: 1, mutable: 1 };
    }
  }

  /** Slots of the type; `mutable` under a variable or path that is not mutable is 0. */
  slots(type: Type): number {
    return this.counts(type).all;
  }

  slotsOfAll(types: readonly Type[]): number {
    return types.reduce((sum, type) => sum + this.slots(type), 0);
  }

  /** Immutable and mutable slots of the type behind a path that is mutable or not. */
  split(type: Type, isMutable: boolean): { readonly immutable: number; readonly mutable: number } {
    const { all, mutable } = this.counts(type);
    return isMutable ? { immutable: all - mutable, mutable } : { immutable: all, mutable: 0 };
  }

  isFullyMutable(type: Type): boolean {
    const { all, mutable } = this.counts(type);
    return all === mutable;
  }

  /** Primitive types of the slots, in order, with the mutability of each behind a path that is mutable or not. */
  flatten(type: Type, isMutable: boolean): { readonly type: Type; readonly isMutable: boolean }[] {
    // Structs without slots may double with every level.
    if (this.slots(type) === 0) return [];
    switch (type.kind) {
      case 'array': {
        const element = this.flatten(type.element, isMutable);
        return Array.from({ length: type.size }, () => element).flat();
      }
      case 'struct':
        return this.fieldsOf(type.name).flatMap((field) => this.flatten(field.type, isMutable && field.isMutable));
      case 'map':
        return [];
      default:
        return [{ type, isMutable }];
    }
  }

  /** Whether each slot is mutable, behind a path that is mutable or not; one after the other, because there may be many. */
  *mutabilities(type: Type, isMutable: boolean): Generator<boolean> {
    const { all, mutable } = this.counts(type);
    const isUniform = !isMutable || mutable === 0 || mutable === all;
    if (isUniform) {
      for (let slot = 0; slot < all; slot++) yield isMutable && mutable > 0;
    } else if (type.kind === 'array') {
      for (let index = 0; index < type.size; index++) yield* this.mutabilities(type.element, isMutable);
    } else if (type.kind === 'struct') {
      for (const field of this.fieldsOf(type.name)) yield* this.mutabilities(field.type, field.isMutable);
    }
  }

  /** Elements and fields of the type, those inside them included. */
  partCount(type: Type): number {
    if (type.kind === 'array') return type.size * (1 + this.partCount(type.element));
    if (type.kind !== 'struct') return 0;
    let count = this.partCounts.get(type.name);
    if (count === undefined) {
      count = this.fieldsOf(type.name).reduce((sum, field) => sum + 1 + this.partCount(field.type), 0);
      this.partCounts.set(type.name, count);
    }
    return count;
  }

  /**
   * @param path the structs around this one
   * @throws CompileError for a struct that contains itself (protocol 06 §4.2)
   */
  checkStruct(name: string, path = new Set<string>()): void {
    if (this.checked.has(name)) return;
    path.add(name);
    for (const field of this.structs.get(name)!.fields) {
      let node = field.type;
      this.resolve(node);
      while (node.kind === 'array') node = node.element;
      if (!this.structs.has(node.name) || isPrimitiveName(node.name)) continue;
      if (path.has(node.name)) {
        throw compileError('circularStructs', node, { structs: `List(${[...path].join(', ')})` });
      }
      this.checkStruct(node.name, path);
    }
    path.delete(name);
    this.checked.add(name);
  }

  private countsOfStruct(name: string): SlotCounts {
    const known = this.structCounts.get(name);
    if (known) return known;
    this.checkStruct(name);
    let [all, mutable] = [0, 0];
    for (const field of this.fieldsOf(name)) {
      const counts = this.counts(field.type);
      all += counts.all;
      if (field.isMutable) mutable += counts.mutable;
    }
    if (all > mostSlots) {
      throw compileError('structTooLarge', this.structs.get(name)!.name);
    }
    const counts = { all, mutable };
    this.structCounts.set(name, counts);
    return counts;
  }

  private tooLarge({ size, node }: Extract<Type, { kind: 'array' }>): CompileError {
    return compileError('invalidArraySize', node, { size });
  }
}
