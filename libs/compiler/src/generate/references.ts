import { compileError } from '../errors/compile-error.js';
import { type Named } from '../checks/name-table.js';
import { type Expression, type Selector } from '../parser/syntax-tree.js';
import { type Type } from '../types/type.js';
import {
  type Code,
  type CodeUnit,
  CodeWriter,
  expressionCode,
  type Generation,
  joinAll,
  joinCode,
  number,
  type Offset,
  offsetCode,
  op,
  ops,
  plus,
  temporary,
} from './code.js';
import { constantIndex } from './indexes.js';

/** Where slots are: offsets of locals and templates are one number or code, those of fields one of each kind. */
type Place =
  | { readonly kind: 'local'; readonly offset: Offset }
  | { readonly kind: 'template'; readonly offset: Offset }
  | { readonly kind: 'field'; readonly immutable: Offset; readonly mutable: Offset };

/** A part of a variable (protocol 06 §8.3). */
export interface Reference {
  readonly type: Type;
  readonly isMutable: boolean;
  readonly place: Place;
}

const mostSlot = 255;

/** @throws CompileError for a slot that no instruction can name */
const checkedSlot = ({ context }: Generation, slot: number): number => {
  if (slot >= mostSlot) throw compileError('invalidIndex', context.entity.name, { index: slot });
  return slot;
};

export const isComposed = ({ kind }: Type): boolean => kind === 'array' || kind === 'struct';

export const referenceOfName = ({ type, ...named }: Named): Reference => {
  const { isMutable } = named;
  if (named.kind === 'field') {
    return { type, isMutable, place: { kind: 'field', immutable: named.immutable, mutable: named.mutable } };
  }
  if (named.kind === 'local' || named.kind === 'template') {
    return { type, isMutable, place: { kind: named.kind, offset: named.slot } };
  }
  throw new Error(`a ${named.kind} has no slots`);
};

/** Code that computes an index, checked against the size of the array. */
const checkedIndex = (generation: Generation, index: Expression, size: number): Code =>
  joinCode(generation, expressionCode(generation, index), [op('Dup'), number(size), op('U256Lt'), op('Assert')]);

const scaled = (generation: Generation, index: Expression, size: number, slots: number): Offset => {
  const constant = constantIndex(index, size);
  if (constant !== undefined) return constant * slots;
  return joinCode(generation, checkedIndex(generation, index, size), [number(slots), op('U256Mul')]);
};

const element = (generation: Generation, index: Expression, size: number): Offset =>
  constantIndex(index, size) ?? checkedIndex(generation, index, size);

const slotsBefore = (generation: Generation, struct: string, field: string, isMutable: boolean) => {
  const { types } = generation.context;
  let [all, immutable, mutable] = [0, 0, 0];
  for (const each of types.fieldsOf(struct)) {
    if (each.name === field) break;
    const counts = types.split(each.type, isMutable && each.isMutable);
    all += types.slots(each.type);
    immutable += counts.immutable;
    mutable += counts.mutable;
  }
  return { all, immutable, mutable };
};

/** `.f` of a struct. */
export const fieldOf = (generation: Generation, { type, isMutable, place }: Reference, name: string): Reference => {
  if (type.kind !== 'struct') throw new Error(`a field of ${type.kind}`);
  const field = generation.context.types.fieldOf(type.name, name)!;
  const before = slotsBefore(generation, type.name, name, isMutable);
  const inner: Place =
    place.kind === 'field'
      ? {
          kind: 'field',
          immutable: plus(generation, place.immutable, before.immutable),
          mutable: plus(generation, place.mutable, before.mutable),
        }
      : { kind: place.kind, offset: plus(generation, place.offset, before.all) };
  return { type: field.type, isMutable: isMutable && field.isMutable, place: inner };
};

/** Steps by which an index moves the offsets: an expression, or a number that is known. */
type Index = Expression | number;

const scaledBy = (generation: Generation, index: Index, size: number, slots: number): Offset =>
  typeof index === 'number' ? index * slots : scaled(generation, index, size, slots);
const elementAt = (generation: Generation, index: Index, size: number): Offset =>
  typeof index === 'number' ? index : element(generation, index, size);

/**
 * `[e]` of an array. `areScaled`: an element of one slot is scaled like others, as in the values of maps (protocol 06
 * §8.10).
 */
const elementOf = (
  generation: Generation,
  { type, isMutable, place }: Reference,
  index: Index,
  areScaled = false,
): Reference => {
  if (type.kind !== 'array') throw new Error(`an element of ${type.kind}`);
  const inner = type.element;
  const of = { type: inner, isMutable };
  const { types } = generation.context;
  if (isComposed(inner) || areScaled) {
    if (place.kind !== 'field') {
      const offset = plus(generation, place.offset, scaledBy(generation, index, type.size, types.slots(inner)));
      return { ...of, place: { kind: place.kind, offset } };
    }
    const counts = types.split(inner, isMutable);
    const immutable = plus(generation, place.immutable, scaledBy(generation, index, type.size, counts.immutable));
    const mutable = plus(generation, place.mutable, scaledBy(generation, index, type.size, counts.mutable));
    return { ...of, place: { kind: 'field', immutable, mutable } };
  }
  const by = elementAt(generation, index, type.size);
  if (place.kind !== 'field') return { ...of, place: { kind: place.kind, offset: plus(generation, place.offset, by) } };
  const moved = isMutable
    ? { ...place, mutable: plus(generation, place.mutable, by) }
    : { ...place, immutable: plus(generation, place.immutable, by) };
  return { ...of, place: moved };
};

export const selected = (
  generation: Generation,
  reference: Reference,
  selectors: readonly Selector[],
  areScaled = false,
) =>
  selectors.reduce(
    (part, selector) =>
      selector.kind === 'field'
        ? fieldOf(generation, part, selector.name.text)
        : elementOf(generation, part, selector.index, areScaled),
    reference,
  );

/** The reference of an expression. Code that stores it in fresh slots first, if it is no part of a variable, goes to `out`. */
export const referenceOf = (generation: Generation, node: Expression, out: CodeWriter): Reference => {
  const { names, owner, types } = generation.context;
  if (node.kind === 'parentheses') return referenceOf(generation, node.inner, out);
  if (node.kind === 'variable') return referenceOfName(names.find(owner, node.name)!);
  if (node.kind === 'selection' && generation.context.typeOf(node.base).kind !== 'map') {
    return selected(generation, referenceOf(generation, node.base, out), node.selectors);
  }
  const type = generation.context.typeOf(node);
  const size = types.slots(type);
  const first = names.allocate(owner!, size);
  out.add(expressionCode(generation, node));
  for (let slot = first + size - 1; slot >= first; slot--) out.add([op('StoreLocal', slot)]);
  return { type, isMutable: false, place: { kind: 'local', offset: first } };
};

const loadOne = (generation: Generation, { isMutable, place }: Reference): Code => {
  if (place.kind === 'template') {
    if (typeof place.offset !== 'number') throw new Error('a template slot is computed');
    return [{ placeholder: place.offset }];
  }
  const [offset, name] =
    place.kind === 'local'
      ? [place.offset, 'Local']
      : isMutable
        ? [place.mutable, 'MutField']
        : [place.immutable, 'ImmField'];
  if (typeof offset === 'number') return [op(`Load${name}`, checkedSlot(generation, offset))];
  return joinCode(generation, offset, [op(`Load${name}ByIndex`)]);
};

const storeOne = (generation: Generation, { place }: Reference): Code => {
  const [offset, name] = place.kind === 'field' ? [place.mutable, 'MutField'] : [place.offset, 'Local'];
  if (typeof offset === 'number') return [op(`Store${name}`, checkedSlot(generation, offset))];
  return joinCode(generation, offset, [op(`Store${name}ByIndex`)]);
};

const atTemporary = (slot: number, by: number, instruction: string): Code => [
  op('LoadLocal', slot),
  number(by),
  op('U256Add'),
  op(instruction),
];

const loadComputedArray = (generation: Generation, reference: Reference): Code => {
  const { types } = generation.context;
  const { type, isMutable } = reference;
  const place: Place = reference.place;
  const out = new CodeWriter(generation);
  if (place.kind !== 'field') {
    const slot = temporary(generation, 'local index');
    out.add(offsetCode(place.offset), [op('StoreLocal', slot)]);
    for (let k = 0; k < types.slots(type); k++) out.add(atTemporary(slot, k, 'LoadLocalByIndex'));
    return out;
  }
  const slots = {
    immutable: temporary(generation, 'immutable index'),
    mutable: temporary(generation, 'mutable index'),
  };
  out.add(offsetCode(place.immutable), [op('StoreLocal', slots.immutable)]);
  out.add(offsetCode(place.mutable), [op('StoreLocal', slots.mutable)]);
  const next = { immutable: 0, mutable: 0 };
  for (const slot of types.flatten(type, isMutable)) {
    const kind = slot.isMutable ? 'mutable' : 'immutable';
    const instruction = slot.isMutable ? 'LoadMutFieldByIndex' : 'LoadImmFieldByIndex';
    out.add(atTemporary(slots[kind], next[kind]++, instruction));
  }
  return out;
};

/** A type may have 2^60 parts and no slot. Where it has no code either, nothing walks through the parts. */
const isEmpty = ({ context: { types } }: Generation, reference: Reference): boolean =>
  types.slots(reference.type) === 0 && !isComputed(reference);

const isComputed = ({ place }: Reference): boolean =>
  place.kind === 'field'
    ? typeof place.immutable !== 'number' || typeof place.mutable !== 'number'
    : typeof place.offset !== 'number';

/** References of the elements or fields, in order. */
const partsOf = (generation: Generation, reference: Reference): Reference[] => {
  const { type } = reference;
  if (type.kind === 'array') {
    return Array.from({ length: type.size }, (_, i) => elementOf(generation, reference, i));
  }
  if (type.kind !== 'struct') return [];
  return generation.context.types.fieldsOf(type.name).map(({ name }) => fieldOf(generation, reference, name));
};

/** Code that pushes all slots of a reference (protocol 06 §8.3). */
export const loadCode = (generation: Generation, reference: Reference): Code => {
  if (!isComposed(reference.type)) return loadOne(generation, reference);
  if (!isComputed(reference)) return loadsOf(generation, reference);
  if (reference.type.kind === 'array') return loadComputedArray(generation, reference);
  const out = new CodeWriter(generation);
  for (const part of partsOf(generation, reference)) out.add(loadCode(generation, part));
  return out;
};

/** A load of each slot of a reference at known numbers, in order. */
const loadsOf = (generation: Generation, { type, isMutable, place }: Reference): CodeUnit[] => {
  const { types } = generation.context;
  if (place.kind === 'field') {
    const next = { immutable: place.immutable as number, mutable: place.mutable as number };
    return Array.from(types.mutabilities(type, isMutable), (isSlotMutable) =>
      isSlotMutable
        ? op('LoadMutField', checkedSlot(generation, next.mutable++))
        : op('LoadImmField', checkedSlot(generation, next.immutable++)),
    );
  }
  const first = place.offset as number;
  return Array.from({ length: types.slots(type) }, (_, i) =>
    place.kind === 'template' ? { placeholder: first + i } : op('LoadLocal', checkedSlot(generation, first + i)),
  );
};

/** Code of each slot on its own, selected by constants (protocol 06 §8.12). */
export const slotCodes = (generation: Generation, reference: Reference): Code[] => {
  if (!isComposed(reference.type)) return [loadOne(generation, reference)];
  if (!isComputed(reference)) return loadsOf(generation, reference).map((load) => [load]);
  if (generation.context.types.slots(reference.type) === 0) return [];
  return partsOf(generation, reference).flatMap((part) => slotCodes(generation, part));
};

/** A store to each slot of a reference at known numbers, in order. */
const storesOf = (generation: Generation, { type, place }: Reference): CodeUnit[] => {
  const [first, name] = place.kind === 'field' ? [place.mutable, 'StoreMutField'] : [place.offset, 'StoreLocal'];
  return Array.from({ length: generation.context.types.slots(type) }, (_, i) =>
    op(name, checkedSlot(generation, (first as number) + i)),
  );
};

/** The groups of a store: statements emit them in reverse order (protocol 06 §8.3). */
export const storeGroups = (generation: Generation, reference: Reference): Code[] => {
  const { type, place } = reference;
  if (!isComposed(type)) return [storeOne(generation, reference)];
  if (isEmpty(generation, reference)) return [];
  if (type.kind === 'array' && isComputed(reference)) {
    const isField = place.kind === 'field';
    const slot = temporary(generation, isField ? 'mutable index' : 'local index');
    const instruction = isField ? 'StoreMutFieldByIndex' : 'StoreLocalByIndex';
    const offset = isField ? place.mutable : place.offset;
    const groups = Array.from({ length: generation.context.types.slots(type) }, (_, k) =>
      atTemporary(slot, k, instruction),
    );
    return [...groups, joinCode(generation, offsetCode(offset), [op('StoreLocal', slot)])];
  }
  if (type.kind === 'array') return storesOf(generation, reference).map((store) => [store]);
  return partsOf(generation, reference).map((part) => joinAll(generation, storeGroups(generation, part).reverse()));
};

export const popCode = (slots: number): Code => ops(...Array.from({ length: slots }, () => 'Pop'));
