import { bytesToHex } from '@shardnode/protocol/encoding';
import { i256Max, i256Min, type LockupScript, u256Max } from '@shardnode/protocol/primitives';
import {
  type CodeKind,
  type Instruction,
  type InstructionDefinition,
  instructions,
  type Method,
  type OperandKind,
  type Val,
} from '@shardnode/protocol/script';
import { fc } from '../properties/index.js';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex);

/** Lockup scripts of every kind. */
export const anyLockupScript: fc.Arbitrary<LockupScript> = fc.oneof(
  hash.map((publicKeyHash): LockupScript => ({ kind: 'p2pkh', publicKeyHash })),
  hash.map((scriptHash): LockupScript => ({ kind: 'p2sh', scriptHash })),
  hash.map((contractId): LockupScript => ({ kind: 'p2c', contractId })),
  fc
    .array(hash, { minLength: 1, maxLength: 40 })
    .chain((publicKeyHashes) =>
      fc
        .integer({ min: 1, max: publicKeyHashes.length })
        .map((m): LockupScript => ({ kind: 'p2mpkh', publicKeyHashes, m })),
    ),
);

/** Numbers of the range, often at its ends and around powers of two. */
const numberBetween = (min: bigint, max: bigint): fc.Arbitrary<bigint> =>
  fc
    .oneof(
      fc.bigInt({ min, max }),
      fc.constantFrom(min, min + 1n, max - 1n, max, 0n, 1n, 2n),
      fc
        .tuple(fc.nat(256), fc.constantFrom(-1n, 0n, 1n), fc.boolean())
        .map(([bits, offset, negative]) => (negative ? -1n : 1n) * 2n ** BigInt(bits) + offset),
    )
    .filter((value) => value >= min && value <= max);

export const anyU256 = numberBetween(0n, u256Max);
export const anyI256 = numberBetween(i256Min, i256Max);
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
  // Lengths around those that take another byte to write.
  fc.constantFrom(31, 32, 33, 8191, 8192, 8193).map((length) => new Uint8Array(length).fill(7)),
);

/** Values of every type. */
export const anyVal: fc.Arbitrary<Val> = fc.oneof(
  fc.boolean().map((value): Val => ({ type: 'Bool', value })),
  anyI256.map((value): Val => ({ type: 'I256', value })),
  anyU256.map((value): Val => ({ type: 'U256', value })),
  anyBytes.map((value): Val => ({ type: 'ByteVec', value })),
  anyLockupScript.map((value): Val => ({ type: 'Address', value })),
);

const operands: { readonly [Kind in OperandKind]: fc.Arbitrary<NonNullable<Instruction['operand']>> } = {
  index: fc.nat(255),
  i256: anyI256,
  u256: anyU256,
  bytes: fc.uint8Array({ maxLength: 80 }),
  lockupScript: anyLockupScript,
  offset: fc.integer({ min: -65536, max: 65536 }),
  byteStrings: fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 4 }),
  twoBytes: fc.uint8Array({ minLength: 2, maxLength: 2 }),
  selector: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
};

const instructionOf = ({ code, operand }: InstructionDefinition): fc.Arbitrary<Instruction> =>
  operand === undefined ? fc.constant({ code }) : operands[operand].map((value) => ({ code, operand: value }));

/** Any instruction that the kind of code knows. */
export const anyInstruction = (kind: CodeKind): fc.Arbitrary<Instruction> =>
  fc.oneof(...instructions.filter((it) => kind === 'stateful' || !it.statefulOnly).map(instructionOf));

/** Methods with possible lengths; `modifiers`: the asset modifiers to choose from. */
export const anyMethod = (kind: CodeKind, modifiers: readonly number[], isPublic?: boolean): fc.Arbitrary<Method> =>
  fc
    .record({
      isPublic: isPublic === undefined ? fc.boolean() : fc.constant(isPublic),
      assetModifier: fc.constantFrom(...modifiers),
      argsLength: fc.nat(300),
      moreLocals: fc.nat(300),
      returnLength: fc.nat(300),
      instructions: fc.array(anyInstruction(kind), { maxLength: 12 }),
    })
    .map(({ moreLocals, ...method }) => ({ ...method, localsLength: method.argsLength + moreLocals }));
