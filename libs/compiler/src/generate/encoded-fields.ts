import { utf8Bytes } from '../lexer/bytes.js';
import { type Argument, type Expression } from '../parser/syntax-tree.js';
import { type TypeTable } from '../types/type-table.js';
import { type Code, CodeWriter, expressionCode, type Generation, joinCode, longNumber, op } from './code.js';
import { isComposed, referenceOf, slotCodes } from './references.js';

/** The prefix of standard interface ids, literal in the language (protocol 06 §5.6). */
const stdIdPrefix = utf8Bytes('ALPH');

const standardIdBytes = (id: Uint8Array): Uint8Array => Uint8Array.from([...stdIdPrefix, ...id]);

export interface SplitCode {
  readonly immutable: Code;
  readonly mutable: Code;
}

/** Slots to fill: how many of each kind, and the kind of each in order. */
export interface SlotKinds {
  readonly immutable: number;
  readonly mutable: number;
  readonly areMutable: Iterable<boolean>;
}

/** Codes of the arguments by the mutability of the slots that they fill (protocol 06 §8.12). */
export const splitCode = (
  generation: Generation,
  nodes: readonly Expression[],
  { immutable, mutable, areMutable }: SlotKinds,
): SplitCode => {
  const all = (): Code => {
    const out = new CodeWriter(generation);
    for (const node of nodes) out.add(expressionCode(generation, node));
    return out;
  };
  if (immutable === 0) return { immutable: [], mutable: all() };
  if (mutable === 0) return { immutable: all(), mutable: [] };
  const prepended = new CodeWriter(generation);
  const codes = { immutable: new CodeWriter(generation), mutable: new CodeWriter(generation) };
  const kinds = areMutable[Symbol.iterator]();
  for (const node of nodes) {
    const types = generation.context.typesOf(node);
    const isOneComposed = types.length === 1 && isComposed(types[0]!);
    const slots = isOneComposed
      ? slotCodes(generation, referenceOf(generation, node, prepended))
      : [expressionCode(generation, node), ...types.slice(1).map((): Code => [])];
    for (const code of slots) codes[kinds.next().value ? 'mutable' : 'immutable'].add(code);
  }
  return { immutable: joinCode(generation, prepended, codes.immutable), mutable: codes.mutable };
};

const fieldSlots = (types: TypeTable, fields: readonly Argument[]): SlotKinds => {
  const all = fields.map(({ type, isMutable }) => ({ type: types.resolve(type), isMutable }));
  let [immutable, mutable] = [0, 0];
  for (const { type, isMutable } of all) {
    const counts = types.split(type, isMutable);
    immutable += counts.immutable;
    mutable += counts.mutable;
  }
  function* areMutable(): Generator<boolean> {
    for (const { type, isMutable } of all) yield* types.mutabilities(type, isMutable);
  }
  return { immutable, mutable, areMutable: areMutable() };
};

/** Code of `C.encodeFields!(args)`. */
export const encodedFieldsCode = (generation: Generation, name: string, args: readonly Expression[]): Code => {
  const { types, operation } = generation.context;
  const entity = operation.entities.get(name);
  if (entity?.kind !== 'contract') throw new Error(`${name} is no contract`);
  const slots = fieldSlots(types, entity.node.fields);
  const { immutable, mutable } = splitCode(generation, args, slots);
  const id: Code = entity.stdId ? [op('BytesConst', standardIdBytes(entity.stdId))] : [];
  return joinCode(generation, immutable, id, [longNumber(slots.immutable + id.length), op('Encode')], mutable, [
    longNumber(slots.mutable),
    op('Encode'),
  ]);
};
