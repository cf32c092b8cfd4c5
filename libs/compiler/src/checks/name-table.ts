import { type Val } from '@shardnode/protocol/script';
import { compileError } from '../errors/compile-error.js';
import { type Span } from '../errors/span.js';
import { tableOrder } from '../hash-orders/table-order.js';
import { textHash } from '../hash-orders/text-hash.js';
import { type TypeTable } from '../types/type-table.js';
import { type Type } from '../types/type.js';

/** Meaning of a name (protocol 06 §6.1). */
export type Named = { readonly type: Type; readonly isMutable: boolean; readonly isUnused: boolean } & (
  | { readonly kind: 'local'; readonly slot: number }
  /** First numbers of the immutable and the mutable slots (protocol 06 §8.1). */
  | { readonly kind: 'field'; readonly immutable: number; readonly mutable: number }
  | { readonly kind: 'template'; readonly slot: number }
  | { readonly kind: 'constant'; readonly value: Val }
  | { readonly kind: 'map'; readonly index: number; readonly value: Type }
);

interface Entry {
  readonly named: Named;
  isRead: boolean;
  isAssigned: boolean;
}

const mostSlots = 255;

const tooMany = (span?: Span) => compileError('tooManyVariables', span);

/** The names of one entity: globals, and the locals of each function (protocol 06 §6.1). */
export class NameTable {
  private readonly globals = new Map<string, Entry>();
  private readonly locals = new Map<string, Map<string, Entry>>();
  /** Local slots of each function: parameters, variables, temporaries. */
  private readonly slots = new Map<string, number>();

  constructor(private readonly types: TypeTable) {}

  private localsOf(owner: string): Map<string, Entry> {
    let known = this.locals.get(owner);
    if (!known) this.locals.set(owner, (known = new Map()));
    return known;
  }

  /** @throws CompileError for a name that is taken */
  declareGlobal(name: string, named: Named, span?: Span): void {
    if (this.globals.has(name)) throw compileError('globalNameTaken', span, { name });
    this.globals.set(name, { named, isRead: false, isAssigned: false });
  }

  /** @throws CompileError for a name that is taken, or more than 255 slots */
  declareLocal(
    owner: string,
    name: { readonly text: string } & Span,
    local: { readonly type: Type; readonly isMutable: boolean; readonly isUnused: boolean },
  ): void {
    if (this.globals.has(name.text)) throw compileError('globalNameTaken', name, { name: name.text });
    const own = this.localsOf(owner);
    if (own.has(name.text)) throw compileError('localNameTaken', name, { name: name.text });
    const slot = this.slotCount(owner);
    const isComposed = local.type.kind === 'array' || local.type.kind === 'struct';
    const count = this.types.slots(local.type);
    if (isComposed ? slot + count >= mostSlots : slot >= mostSlots) throw tooMany(isComposed ? undefined : name);
    own.set(name.text, { named: { kind: 'local', slot, ...local }, isRead: false, isAssigned: false });
    this.slots.set(owner, slot + count);
  }

  /** The first of so many fresh slots. @throws CompileError when the function has no more */
  allocate(owner: string, count: number): number {
    const slot = this.slotCount(owner);
    if (slot + count > mostSlots) throw tooMany();
    this.slots.set(owner, slot + count);
    return slot;
  }

  slotCount(owner: string): number {
    return this.slots.get(owner) ?? 0;
  }

  /** Local slots of all functions whose names begin with this one (protocol 06 §8.14). */
  slotsOfNamesLike(owner: string): number {
    let count = 0;
    for (const [name, slots] of this.slots) if (name.startsWith(owner)) count += slots;
    return count;
  }

  /** Slots of each function now, to return to after one generation (protocol 06 §8.14). */
  slotCounts(): ReadonlyMap<string, number> {
    return new Map(this.slots);
  }

  restoreSlots(counts: ReadonlyMap<string, number>): void {
    for (const [name, count] of counts) this.slots.set(name, count);
    for (const name of this.slots.keys()) if (!counts.has(name)) this.slots.delete(name);
  }

  private entry(owner: string | undefined, name: string): Entry | undefined {
    return (owner === undefined ? undefined : this.locals.get(owner)?.get(name)) ?? this.globals.get(name);
  }

  /** Local, then global; undefined: no such name. Marks nothing. */
  find(owner: string | undefined, name: string): Named | undefined {
    return this.entry(owner, name)?.named;
  }

  /** The same, and marks it as read, or as read and assigned. @throws CompileError when there is none */
  lookup(owner: string | undefined, name: string, span: Span, isAssigned = false): Named {
    const entry = this.entry(owner, name);
    if (!entry) {
      const local = owner === undefined ? undefined : this.locals.get(owner);
      throw compileError('unknownVariable', span, {
        name: owner === undefined ? name : `${owner}.${name}`,
      }).knowing([...(local?.keys() ?? []), ...this.globals.keys()]);
    }
    if (owner !== undefined) {
      entry.isRead = true;
      if (isAssigned) entry.isAssigned = true;
    }
    return entry.named;
  }

  /** Constants and values of enums. */
  constants(): string[] {
    return this.namesOf(undefined, ({ named }) => named.kind === 'constant');
  }

  /** Globals, or the locals of a function as `<function>.<name>`, that are wanted. */
  private namesOf(owner: string | undefined, isWanted: (entry: Entry) => boolean): string[] {
    const prefix = owner === undefined ? '' : `${owner}.`;
    const names: string[] = [];
    for (const [name, entry] of (owner === undefined ? this.globals : this.locals.get(owner)) ?? []) {
      if (isWanted(entry)) names.push(prefix + name);
    }
    return names;
  }

  /** Globals that were never read, of those that are wanted, in code unit order. */
  unreadGlobals(isWanted: (named: Named) => boolean): string[] {
    return this.namesOf(undefined, ({ isRead, named }) => !isRead && isWanted(named)).sort();
  }

  /** Locals of a function that were never read and are not `@unused`, in code unit order. */
  unreadLocals(owner: string): string[] {
    return this.namesOf(owner, ({ isRead, named }) => !isRead && !named.isUnused).sort();
  }

  /**
   * Globals, or locals of a function, that are mutable and were never assigned, of those that are wanted: in the order of a hash
   * table of all names (protocol 06 §9.4).
   */
  unassigned(owner: string | undefined, isWanted: (named: Named) => boolean): string[] {
    const names = this.namesOf(
      owner,
      ({ isAssigned, named }) => named.isMutable && !named.isUnused && !isAssigned && isWanted(named),
    );
    return names.length <= 1 ? names : tableOrder(names, textHash, this.tableSize());
  }

  /** Number of all names with the hidden ones of elements and fields (protocol 06 §9.4). */
  private tableSize(): number {
    let size = 0;
    for (const entries of [this.globals, ...this.locals.values()]) {
      for (const { named } of entries.values()) {
        size += 1 + (named.kind === 'map' || named.kind === 'constant' ? 0 : this.types.partCount(named.type));
      }
    }
    return size;
  }
}
