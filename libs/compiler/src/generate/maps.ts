import { compileError } from '../errors/compile-error.js';
import { utf8Bytes } from '../lexer/bytes.js';
import { type Expression, type Name, type Selector, type StatementOf } from '../parser/syntax-tree.js';
import { type Type, type TypeOf } from '../types/type.js';
import {
  type Code,
  CodeWriter,
  expressionCode,
  type Generation,
  joinCode,
  type Offset,
  offsetCode,
  op,
  ops,
  plus,
  temporary,
} from './code.js';
import { splitCode } from './encoded-fields.js';
import { type Reference, selected } from './references.js';

/** Code of a map's name. */
export const mapNameCode = (index: number): Code => [op('BytesConst', utf8Bytes(`__map__${index}__`))];

const keyConversion = (type: Type): Code => {
  if (type.kind !== 'primitive') throw new Error(`a map key of ${type.kind}`);
  return type.name === 'ByteVec' ? [] : ops(`${type.name}ToByteVec`);
};

/** path(m, k) (protocol 06 §8.10). */
const pathCode = (generation: Generation, name: Code, key: Expression): Code =>
  joinCode(
    generation,
    name,
    expressionCode(generation, key),
    keyConversion(generation.context.typeOf(key)),
    ops('ByteVecConcat'),
  );

/** The entry of a key: the first call computes its id, and stores it if there are further ones. */
const entryCode = (
  generation: Generation,
  path: Code,
  isOnly: boolean,
): { readonly first: Code; readonly other: Code } => {
  if (isOnly) {
    const code = joinCode(generation, path, ops('SubContractId'));
    return { first: code, other: code };
  }
  const slot = temporary(generation, 'sub-contract');
  return {
    first: joinCode(generation, path, [op('SubContractId'), op('StoreLocal', slot), op('LoadLocal', slot)]),
    other: [op('LoadLocal', slot)],
  };
};

const valueReference = (generation: Generation, map: TypeOf<'map'>, selectors: readonly Selector[]): Reference =>
  selected(
    generation,
    { type: map.value, isMutable: true, place: { kind: 'field', immutable: 0, mutable: 0 } },
    selectors,
    true,
  );

const keyOf = (selectors: readonly Selector[]): Expression => {
  const [first] = selectors;
  if (first?.kind !== 'index') throw new Error('a map was selected without a key');
  return first.index;
};

/** Code of `m[k]...`: the selectors begin with the key. */
export const mapLoadCode = (
  generation: Generation,
  map: TypeOf<'map'>,
  name: Code,
  selectors: readonly Selector[],
): Code => {
  const { types } = generation.context;
  const path = pathCode(generation, name, keyOf(selectors));
  const { type, isMutable, place } = valueReference(generation, map, selectors.slice(1));
  if (place.kind !== 'field') throw new Error('the value of a map has no fields');
  const slots = types.flatten(type, isMutable);
  const entry = entryCode(generation, path, slots.length === 1);
  const next: { immutable: Offset; mutable: Offset } = { immutable: place.immutable, mutable: place.mutable };
  const out = new CodeWriter(generation);
  for (const [j, slot] of slots.entries()) {
    const kind = slot.isMutable ? 'mutable' : 'immutable';
    out.add(offsetCode(next[kind]), ops('U256Const1', 'U256Const1'), j === 0 ? entry.first : entry.other, [
      op('CallExternal', slot.isMutable ? 1 : 0),
    ]);
    next[kind] = plus(generation, next[kind], 1);
  }
  return out;
};

/** The groups of a store to `m[k]...`. */
export const mapStoreGroups = (
  generation: Generation,
  map: TypeOf<'map'>,
  name: Code,
  selectors: readonly Selector[],
): Code[] => {
  const path = pathCode(generation, name, keyOf(selectors));
  const { type, place } = valueReference(generation, map, selectors.slice(1));
  if (place.kind !== 'field') throw new Error('the value of a map has no fields');
  const count = generation.context.types.slots(type);
  const entry = entryCode(generation, path, count === 1);
  return Array.from({ length: count }, (_, j) =>
    joinCode(
      generation,
      offsetCode(plus(generation, place.mutable, j)),
      ops('U256Const2', 'U256Const0'),
      j === count - 1 ? entry.first : entry.other,
      [op('CallExternal', 2)],
    ),
  );
};

const debugRecord = ({ isDebug }: Generation, text: string): Code =>
  isDebug ? [op('Dup'), op('DEBUG', [utf8Bytes(text), utf8Bytes('')])] : [];

const mostSlots = 255;

const mapNamed = ({ context }: Generation, { text }: Name) => {
  const named = context.names.find(context.owner, text);
  if (named?.kind !== 'map') throw new Error(`${text} is no map`);
  return named;
};

/** Code of `m.insert!(a, k, v)` and `m.remove!(a, k)` (protocol 06 §8.10). */
export const mapStatementCode = (
  generation: Generation,
  { operation, map, arguments: args }: StatementOf<'map statement'>,
): Code => {
  const { types } = generation.context;
  const { index, value: type } = mapNamed(generation, map);
  const [address, key, value] = args;
  const name = mapNameCode(index);
  if (operation === 'remove') {
    const path = pathCode(generation, name, key!);
    return joinCode(
      generation,
      expressionCode(generation, address!),
      ops('U256Const1', 'U256Const0'),
      path,
      debugRecord(generation, 'remove at map path: '),
      [op('SubContractId'), op('CallExternal', 3)],
    );
  }
  const slots = { ...types.split(type, true), areMutable: types.mutabilities(type, true) };
  const [immutableCount, mutableCount] = [slots.immutable + 1, slots.mutable];
  if (immutableCount > mostSlots || mutableCount > mostSlots) {
    throw compileError('structTooLarge', value);
  }
  const payer = expressionCode(generation, address!);
  const path = pathCode(generation, name, key!);
  const { immutable, mutable } = splitCode(generation, [value!], slots);
  return joinCode(
    generation,
    payer,
    ops('MinimalContractDeposit', 'ApproveCoin'),
    path,
    debugRecord(generation, 'insert at map path: '),
    immutable,
    ops('SelfContractId'),
    mutable,
    [op('CreateMapEntry', Uint8Array.of(immutableCount, mutableCount))],
  );
};

/** Code of `m.contains!(k)`. */
export const containsCode = (generation: Generation, map: Name, key: Expression): Code =>
  joinCode(generation, pathCode(generation, mapNameCode(mapNamed(generation, map).index), key), [
    op('SubContractId'),
    op('ContractExists'),
  ]);
