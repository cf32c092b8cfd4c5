import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readVectors } from '@shardnode/testing/vectors';
import { type Arbitrary } from 'fast-check';
import { fc } from '@shardnode/testing/properties';
import { parseAddress } from './address/index.js';
import { type BlockHeader, decodeBlock, decodeHeader, headerCodec, sealBlock, sealHeader } from './block/index.js';
import {
  ByteReader,
  type Codec,
  DecodeError,
  boolean,
  byteString,
  bytesToHex,
  decode,
  encode,
  fixedI32,
  hash32,
  hexToBytes,
  i256,
  i32,
  i64,
  option,
  timestamp,
  u256,
  u32,
  vector,
} from './encoding/index.js';
import {
  type AssetLockupScript,
  type Hash,
  type LockupScript,
  type OutputReference,
  assetLockupScriptCodec,
  assetOutputReferenceCodec,
  contractOutputReferenceCodec,
  i256Max,
  i256Min,
  lockupScriptCodec,
  outputReferenceCodec,
  u256Max,
} from './primitives/index.js';
import {
  type Instruction,
  type Method,
  type OperandKind,
  type Val,
  instructions,
  methodCodec,
  statefulScriptCodec,
  statelessScriptCodec,
  valCodec,
} from './script/index.js';
import {
  type AssetOutput,
  type ContractOutput,
  type Transaction,
  type TransactionInput,
  type UnlockScript,
  assetOutputCodec,
  contractOutputCodec,
  outputCodec,
  transactionCodec,
  transactionTemplateCodec,
  unlockScriptCodec,
  unsignedTransactionCodec,
} from './transaction/index.js';

const groups = 4;

// Values of every kind, with the edges of each form of compact integer.

const fixed = (length: number): Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const hash: Arbitrary<Hash> = fixed(32).map(bytesToHex);
const near = (exponent: number): Arbitrary<bigint> =>
  fc.bigInt({ min: -2n, max: 2n }).map((d) => 2n ** BigInt(exponent) + d);
const power = fc.constantFrom(5, 6, 13, 14, 29, 30, 31, 32, 63, 64, 255, 256).chain(near);
const clamp = (min: bigint, max: bigint) => (value: bigint) => (value < min ? min : value > max ? max : value);
const signed = fc.tuple(power, fc.boolean()).map(([value, negative]) => (negative ? -value : value));
const anyU256 = fc.oneof(fc.bigInt({ min: 0n, max: u256Max }), power.map(clamp(0n, u256Max)));
const anyI256 = fc.oneof(fc.bigInt({ min: i256Min, max: i256Max }), signed.map(clamp(i256Min, i256Max)));
const anyI64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  signed.map(clamp(-(2n ** 63n), 2n ** 63n - 1n)),
);
const anyI32 = fc.oneof(fc.integer(), signed.map(clamp(-(2n ** 31n), 2n ** 31n - 1n)).map(Number));
const anyTimestamp = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const bytes = fc.uint8Array({ maxLength: 40 });
const few = <T>(value: Arbitrary<T>): Arbitrary<T[]> => fc.array(value, { maxLength: 3 });

const assetLockup: Arbitrary<AssetLockupScript> = fc.oneof(
  fc.record({ kind: fc.constant('p2pkh' as const), publicKeyHash: hash }),
  fc.record({ kind: fc.constant('p2sh' as const), scriptHash: hash }),
  fc
    .array(hash, { minLength: 1, maxLength: 4 })
    .chain((publicKeyHashes) =>
      fc.integer({ min: 1, max: publicKeyHashes.length }).map((m) => ({ kind: 'p2mpkh' as const, publicKeyHashes, m })),
    ),
);
const lockup: Arbitrary<LockupScript> = fc.oneof(
  assetLockup,
  fc.record({ kind: fc.constant('p2c' as const), contractId: hash }),
);
const reference: Arbitrary<OutputReference> = fc.record({ hint: fc.integer(), key: hash });
const assetReference = reference.map(({ hint, key }) => ({ hint: hint | 1, key }));
const contractReference = reference.map(({ hint, key }) => ({ hint: hint & ~1, key }));

const val: Arbitrary<Val> = fc.oneof(
  fc.record({ type: fc.constant('Bool' as const), value: fc.boolean() }),
  fc.record({ type: fc.constant('I256' as const), value: anyI256 }),
  fc.record({ type: fc.constant('U256' as const), value: anyU256 }),
  fc.record({ type: fc.constant('ByteVec' as const), value: bytes }),
  fc.record({ type: fc.constant('Address' as const), value: lockup }),
);

const operands: Record<OperandKind, Arbitrary<NonNullable<Instruction['operand']>>> = {
  index: fc.integer({ min: 0, max: 255 }),
  i256: anyI256,
  u256: anyU256,
  bytes,
  lockupScript: lockup,
  offset: fc.integer({ min: -65536, max: 65536 }),
  byteStrings: few(bytes),
  twoBytes: fixed(2),
  selector: fc.integer(),
};
const instruction = (stateful: boolean): Arbitrary<Instruction> =>
  fc
    .constantFrom(...instructions.filter((definition) => stateful || !definition.statefulOnly))
    .chain(({ code, operand }) =>
      operand === undefined ? fc.constant({ code }) : operands[operand].map((value) => ({ code, operand: value })),
    );
const method = (stateful: boolean): Arbitrary<Method> =>
  fc.record({
    isPublic: fc.boolean(),
    assetModifier: stateful ? fc.nat(7) : fc.constantFrom(0, 2, 4, 6),
    argsLength: fc.nat(40),
    localsLength: fc.nat(40).map((more) => 40 + more),
    returnLength: fc.nat(40),
    instructions: fc.array(instruction(stateful), { maxLength: 6 }),
  });
const script = (stateful: boolean) =>
  fc.tuple(method(stateful), few(method(stateful))).map(([first, rest]) => ({
    methods: [{ ...first, isPublic: true }, ...rest],
  }));

const publicKey = fixed(33);
const unlock: Arbitrary<UnlockScript> = fc.oneof(
  fc.record({ kind: fc.constant('p2pkh' as const), publicKey }),
  fc.record({ kind: fc.constant('p2mpkh' as const), keys: few(fc.record({ publicKey, index: anyI32 })) }),
  fc.record({ kind: fc.constant('p2sh' as const), script: script(false), parameters: few(val) }),
  fc.constant({ kind: 'sameAsPrevious' as const }),
  fc.record({ kind: fc.constant('reserved' as const), publicKey }),
);
const tokens = few(fc.record({ id: hash, amount: anyU256 }));
const assetOutput: Arbitrary<AssetOutput> = fc.record({
  kind: fc.constant('asset' as const),
  amount: anyU256,
  lockupScript: assetLockup,
  lockTime: anyTimestamp,
  tokens,
  additionalData: bytes,
});
const contractOutput: Arbitrary<ContractOutput> = fc.record({
  kind: fc.constant('contract' as const),
  amount: anyU256,
  contractId: hash,
  tokens,
});
const signedByteValue = fc.integer({ min: -128, max: 127 });
const unsigned = fc.record({
  version: signedByteValue,
  networkId: signedByteValue,
  script: fc.option(script(true), { nil: undefined }),
  gasAmount: anyI32.map((value) => Math.max(value, 0)),
  gasPrice: anyU256,
  inputs: few<TransactionInput>(fc.record({ outputReference: assetReference, unlockScript: unlock })),
  fixedOutputs: few(assetOutput),
});
const signatures = few(fixed(64));
const transaction: Arbitrary<Transaction> = fc.record({
  unsigned,
  scriptExecutionOk: fc.boolean(),
  contractInputs: few(contractReference),
  generatedOutputs: few(fc.oneof(assetOutput, contractOutput)),
  inputSignatures: signatures,
  scriptSignatures: signatures,
});
const header: Arbitrary<BlockHeader> = fc.record({
  nonce: fixed(24),
  version: signedByteValue,
  blockDeps: fc.array(hash, { minLength: 7, maxLength: 7 }),
  depStateHash: hash,
  txsHash: hash,
  timestamp: anyTimestamp,
  target: fc.nat(0xffffffff),
});

/** A decoder, what it decodes, and how its value is encoded again. */
interface Case {
  readonly name: string;
  readonly decode: (bytes: Uint8Array) => unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- cases of all types stand in one list
  readonly encode: (value: any) => Uint8Array;
  readonly values: Arbitrary<unknown>;
}
const over = <T>(name: string, codec: Codec<T>, values: Arbitrary<T>): Case => ({
  name,
  decode: (input) => decode(codec, input),
  encode: (value) => encode(codec, value),
  values,
});

const cases: Case[] = [
  over('u32', u32, fc.nat(0xffffffff)),
  over('i32', i32, anyI32),
  over('i64', i64, anyI64),
  over('u256', u256, anyU256),
  over('i256', i256, anyI256),
  over('boolean', boolean, fc.boolean()),
  over('fixed i32', fixedI32, fc.integer()),
  over('timestamp', timestamp, anyTimestamp),
  over('hash', hash32, hash),
  over('bytes', byteString, bytes),
  over('option of a vector', option(vector(u256)), fc.option(few(anyU256), { nil: undefined })),
  over('vector of vectors', vector(vector(byteString)), few(few(bytes))),
  over('lockup script', lockupScriptCodec, lockup),
  over('asset lockup script', assetLockupScriptCodec, assetLockup),
  over('output reference', outputReferenceCodec, reference),
  over('asset output reference', assetOutputReferenceCodec, assetReference),
  over('contract output reference', contractOutputReferenceCodec, contractReference),
  over('value', valCodec, val),
  over('method', methodCodec, method(true)),
  over('stateful script', statefulScriptCodec, script(true)),
  over('stateless script', statelessScriptCodec, script(false)),
  over('unlock script', unlockScriptCodec, unlock),
  over('asset output', assetOutputCodec, assetOutput),
  over('contract output', contractOutputCodec, contractOutput),
  over('output', outputCodec, fc.oneof(assetOutput, contractOutput)),
  over('unsigned transaction', unsignedTransactionCodec, unsigned),
  over('transaction', transactionCodec, transaction),
  over(
    'transaction template',
    transactionTemplateCodec,
    fc.record({ unsigned, inputSignatures: signatures, scriptSignatures: signatures }),
  ),
  over('header fields', headerCodec, header),
  {
    name: 'header',
    decode: (input) => decodeHeader(input, groups),
    encode: (value: BlockHeader) => encode(headerCodec, value),
    values: header.map((fields) => sealHeader(fields, groups)),
  },
  {
    name: 'block',
    decode: (input) => decodeBlock(input, groups),
    encode: (value) => sealBlock(value.header, value.transactions, groups).raw,
    values: fc
      .tuple(header, few(transaction))
      .map(([fields, transactions]) => sealBlock(sealHeader(fields, groups), transactions, groups)),
  },
];

/** Bytes that readers have given since it was set to 0; a read without a byte counts as one. */
let bytesRead = 0;
const { byte, take, since } = ByteReader.prototype;
beforeAll(() => {
  const counted = <T extends number | Uint8Array>(result: T): T => {
    bytesRead += typeof result === 'number' ? 1 : Math.max(1, result.length);
    return result;
  };
  Object.assign(ByteReader.prototype, {
    byte(this: ByteReader) {
      return counted(byte.call(this));
    },
    take(this: ByteReader, length: number) {
      return counted(take.call(this, length));
    },
    since(this: ByteReader, start: number) {
      return counted(since.call(this, start));
    },
  });
});
afterAll(() => void Object.assign(ByteReader.prototype, { byte, take, since }));

/** How often a decoder may read each byte of its input. */
const mostReads = 2;

/** The value, or undefined when the bytes are refused. Any other failure, and work that grows faster than the input, breaks the test. */
const attempt = ({ decode: decodeAll }: Case, input: Uint8Array): unknown => {
  bytesRead = 0;
  try {
    return decodeAll(input);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return undefined;
  } finally {
    expect(bytesRead).toBeLessThanOrEqual(mostReads * (input.length + 1));
  }
};

/** What was decoded encodes to bytes that decode to the same value, and those bytes are canonical. */
const isStable = (subject: Case, value: unknown): void => {
  if (value === undefined) return;
  const canonical = subject.encode(value);
  expect(bytesToHex(subject.encode(subject.decode(canonical)))).toBe(bytesToHex(canonical));
};

interface Mutation {
  readonly at: number;
  readonly kind: 'set' | 'insert' | 'delete' | 'truncate' | 'repeat';
  readonly byte: number;
}
/** Bytes that mean something: small counts, negative ones, the heads of each integer form. */
const telling = fc.constantFrom(0x00, 0x01, 0x02, 0x1f, 0x20, 0x3f, 0x40, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xdc, 0xff);
const mutation: Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom('set', 'insert', 'delete', 'truncate', 'repeat'),
  byte: fc.oneof(telling, fc.nat(255)),
});
const mutate = (input: Uint8Array, { at, kind, byte }: Mutation): Uint8Array => {
  const place = Math.floor(at * input.length);
  const [before, after] = [input.subarray(0, place), input.subarray(place)];
  switch (kind) {
    case 'set':
      return Uint8Array.from([...before, byte, ...after.subarray(1)]);
    case 'insert':
      return Uint8Array.from([...before, byte, ...after]);
    case 'delete':
      return Uint8Array.from([...before, ...after.subarray(1)]);
    case 'truncate':
      return before.slice();
    case 'repeat':
      return Uint8Array.from([...before, ...before.subarray(-8), ...after]);
  }
};

describe.each(cases.map((subject) => [subject.name, subject] as const))('decoder of %s', (_name, subject) => {
  it('gives back every value that was encoded', () => {
    fc.assert(
      fc.property(subject.values, (value) => {
        expect(subject.decode(subject.encode(value))).toEqual(value);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses random bytes or reads a value', () => {
    const input = fc.oneof(fc.uint8Array({ maxLength: 400 }), fc.array(telling, { maxLength: 400 }));
    fc.assert(
      fc.property(input, (chosen) => isStable(subject, attempt(subject, Uint8Array.from(chosen)))),
      { numRuns: 200 },
    );
  });

  it('refuses mutated encodings or reads a value', () => {
    fc.assert(
      fc.property(subject.values, fc.array(mutation, { minLength: 1, maxLength: 4 }), (value, mutations) => {
        isStable(subject, attempt(subject, mutations.reduce(mutate, subject.encode(value))));
      }),
      { numRuns: 150 },
    );
  });

  it('reads large inputs of one repeated byte or announced count no more often', () => {
    // 2^16 and 2^31-1 as counts, and a bare count of the whole rest.
    const heads = ['', '80010000', 'c07fffffff', '01', '0180010000', '8000ffff'];
    for (const head of heads) {
      for (const byte of [0x00, 0x01, 0x02, 0x03, 0x14, 0x3f, 0x40, 0x7e, 0xff]) {
        const input = new Uint8Array(66_000).fill(byte);
        input.set(hexToBytes(head));
        attempt(subject, input);
      }
    }
  });
});

describe('recorded transactions with mutated bytes', () => {
  const subject = cases.find(({ name }) => name === 'transaction')!;
  const recorded = readVectors<{ transactions: { name: string; hex: string }[] }>('transactions.json').transactions;

  it.each(recorded.map(({ name, hex }) => [name, hexToBytes(hex)] as const))('%s', (_name, input) => {
    expect(bytesToHex(subject.encode(subject.decode(input)))).toBe(bytesToHex(input));
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        isStable(subject, attempt(subject, mutations.reduce(mutate, input)));
      }),
      { numRuns: 100 },
    );
  });
});

describe('address texts', () => {
  it('give a lockup script or nothing for any text', () => {
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 120 }));
    fc.assert(fc.property(text, (chosen) => ['object', 'undefined'].includes(typeof parseAddress(chosen))));
  });
});
