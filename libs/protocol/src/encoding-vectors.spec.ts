/* eslint-disable @typescript-eslint/no-explicit-any -- the entries of a vector file have as many shapes as sections */
import { describe, expect, it } from '@jest/globals';
import { readVectors, vectorOrigin } from '@shardnode/testing/vectors';
import { decodeBase58, encodeBase58 } from './address/index.js';
import { compactTarget, targetValue, workOf } from './block/index.js';
import {
  blake2b,
  blake2bTwice,
  blake3,
  blake3Twice,
  djb,
  foldToInt32,
  keccak256,
  merkleRoot,
  publicKeyOf,
  sha256,
  sha3,
  sign,
  verifySignature,
  xorByte,
} from './crypto/index.js';
import {
  type Codec,
  DecodeError,
  boolean,
  byteString,
  bytesToHex,
  decode,
  encode,
  fixedBytes,
  hash32,
  hexToBytes,
  i256,
  i32,
  i64,
  option,
  parseHex,
  timestamp,
  u256,
  u32,
  vector,
} from './encoding/index.js';
import {
  assetLockupScriptCodec,
  assetOutputReferenceCodec,
  compareSignedBytes,
  contractOutputReferenceCodec,
  formatAmountHint,
  formatAmountOfError,
  i256Arithmetic,
  lockupScriptCodec,
  parseAmount,
  parseCoinAmount,
  scriptHint,
  u256Arithmetic,
} from './primitives/index.js';
import { type Method, statefulScriptCodec, statelessScriptCodec } from './script/index.js';
import { type UnlockScript, unlockScriptCodec } from './transaction/index.js';

type Entry = Record<string, any>;

const text = (bytes: string): Uint8Array => new TextEncoder().encode(bytes);

/** An input that a vector gives as text, as hexadecimal, or by the one rule in use. */
const inputOf = (entry: Entry): Uint8Array => {
  if (entry.inputUtf8 !== undefined) return text(entry.inputUtf8);
  if (entry.inputHex !== undefined) return hexToBytes(entry.inputHex);
  const rule = /^(\d+) bytes, byte i = i mod (\d+)$/.exec(entry.inputRule);
  return Uint8Array.from({ length: Number(rule![1]) }, (_, i) => i % Number(rule![2]));
};

const methodForm = (method: Method): Entry => ({
  isPublic: method.isPublic,
  assetModifier: method.assetModifier,
  argsLength: method.argsLength,
  localsLength: method.localsLength,
  returnLength: method.returnLength,
  instrs: method.instructions.map(({ code, operand }) => {
    if (operand === undefined) return { code };
    return { code, arg: operand instanceof Uint8Array ? bytesToHex(operand) : operand };
  }),
});

const unlockForm = (script: UnlockScript): Entry =>
  script.kind === 'p2sh'
    ? { type: 'p2sh', script: bytesToHex(encode(statelessScriptCodec, script.script)), params: script.parameters }
    : { type: script.kind };

/** A codec and the form in which the vectors write its values. */
const typed = <T>(codec: Codec<T>, form: (value: T) => unknown) => ({ codec: codec as Codec<any>, form });
const integer = (value: number | bigint): string => value.toString();
const types: Record<string, { codec: Codec<any>; form: (value: any) => unknown }> = {
  u32: typed(u32, integer),
  i32: typed(i32, integer),
  i64: typed(i64, integer),
  u256: typed(u256, integer),
  i256: typed(i256, integer),
  bool: typed(boolean, (value) => value),
  bytes: typed(byteString, bytesToHex),
  'option<u256>': typed(option(u256), (value) => (value === undefined ? null : integer(value))),
  'vector<u256>': typed(vector(u256), (values) => values.map(integer)),
  'vector<bytes>': typed(vector(byteString), (values) => values.map(bytesToHex)),
  timestamp: typed(timestamp, (value) => (value > 2n ** 53n ? integer(value) : Number(value))),
  hash32: typed(hash32, (value) => value),
  signature: typed(fixedBytes(64), bytesToHex),
  publicKey: typed(fixedBytes(33), bytesToHex),
  nonce: typed(fixedBytes(24), bytesToHex),
  lockupScript: typed(lockupScriptCodec, (script) =>
    script.kind === 'p2mpkh' ? { type: 'p2mpkh', pkHashes: script.publicKeyHashes, m: script.m } : script,
  ),
  assetLockupScript: typed(assetLockupScriptCodec, (script) => script),
  assetOutputRef: typed(assetOutputReferenceCodec, (reference) => reference),
  contractOutputRef: typed(contractOutputReferenceCodec, (reference) => reference),
  unlockScript: typed(unlockScriptCodec, unlockForm),
  statelessScript: typed(statelessScriptCodec, (script) => ({ methods: script.methods.map(methodForm) })),
  statefulScript: typed(statefulScriptCodec, (script) => ({ methods: script.methods.map(methodForm) })),
};

const outcome = (type: string, hex: string): Entry => {
  try {
    return { value: types[type]!.form(decode(types[type]!.codec, hexToBytes(hex))) };
  } catch (error) {
    if (error instanceof DecodeError) return { error: error.kind, message: error.message };
    throw error;
  }
};

const decodesTo = (type: string, hex: string, value: unknown): void => expect(outcome(type, hex)).toEqual({ value });

const isRefused = (entry: Entry): void => {
  const { error, message } = outcome(entry.type, entry.hex);
  expect(error).toBe(entry.error);
  // The vectors leave the free tails of three messages out (protocol 01 §20, point 2) and the key list of multisigs.
  if (/^Expect [UI]256|^Invalid script$|^Invalid m in/.test(entry.message))
    expect(message.startsWith(entry.message.replace(/ \.\.\.$/, ''))).toBe(true);
  else expect(message).toBe(entry.message);
};

const roundTrips = (entry: Entry): void => {
  decodesTo(entry.type, entry.hex, entry.value);
  const value = decode(types[entry.type]!.codec, hexToBytes(entry.hex));
  const canonical = entry.note?.includes('accepted')
    ? decode(types[entry.type]!.codec, encode(types[entry.type]!.codec, value))
    : undefined;
  if (canonical === undefined) expect(bytesToHex(encode(types[entry.type]!.codec, value))).toBe(entry.hex);
  else expect(canonical).toEqual(value);
};

const compactInteger = (type: string) => (entry: Entry) => {
  decodesTo(type, entry.hex, entry.value);
  const value = decode(types[type]!.codec, hexToBytes(entry.hex));
  expect(bytesToHex(encode(types[type]!.codec, value))).toBe(entry.hex);
};

const algorithms: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  sha256,
  keccak256,
  blake2b,
  blake3,
  'sha3-256': sha3,
};

const bits = (hex: string): number => parseInt(hex, 16);

const arithmetic = (entry: Entry): void => {
  const operations = (entry.type === 'u256' ? u256Arithmetic : i256Arithmetic) as Record<
    string,
    (a: bigint, b: bigint) => bigint | undefined
  >;
  const result = operations[entry.op]!(BigInt(entry.a), BigInt(entry.b));
  expect(result === undefined ? null : result.toString()).toBe(entry.result);
};

const fold = (entry: Entry): void => {
  const hash = entry.literalText === undefined ? hexToBytes(entry.input) : blake2b(text(entry.literalText));
  const folded = foldToInt32(hash);
  expect(folded).toBe(entry.output);
  if (entry.blake2b !== undefined) expect(bytesToHex(hash)).toBe(entry.blake2b);
  if (entry.networkMagicBytes !== undefined)
    expect((folded >>> 0).toString(16).padStart(8, '0')).toBe(entry.networkMagicBytes);
};

const djbHash = (entry: Entry): void => {
  expect(djb(inputOf(entry))).toBe(entry.output);
  if (entry.scriptHint === undefined) return;
  const hint = scriptHint({ kind: 'p2sh', scriptHash: entry.inputHex });
  const byte = xorByte(hint);
  expect([hint, hint, hint ^ 1, byte, byte % 4, byte % 3]).toEqual([
    entry.scriptHint,
    entry.assetHint,
    entry.contractHint,
    entry.xorByteOfScriptHint,
    entry.groupOf4,
    entry.groupOf3,
  ]);
};

const amountOut = (entry: Entry): void => {
  expect(formatAmountHint(BigInt(entry.attoCoin), 'COIN')).toBe(entry.hintText);
  expect(formatAmountOfError(BigInt(entry.attoCoin), 'coin')).toBe(entry.errorText);
};

/** What each section of the file asks; nested sections with a point. */
const claims: Record<string, (entry: Entry) => void> = {
  'compactIntegers.u32': compactInteger('u32'),
  'compactIntegers.u256': compactInteger('u256'),
  'compactIntegers.i32': compactInteger('i32'),
  'compactIntegers.i64': compactInteger('i64'),
  'compactIntegers.i256': compactInteger('i256'),
  compactNonCanonicalAccepted: (entry) => {
    decodesTo(entry.type, entry.hex, entry.value);
    const { codec } = types[entry.type]!;
    expect(bytesToHex(encode(codec, decode(codec, hexToBytes(entry.hex))))).toBe(entry.canonicalHex);
  },
  compactErrors: isRefused,
  'primitives.ok': roundTrips,
  'primitives.errors': isRefused,
  'scripts.ok': roundTrips,
  'scripts.errors': isRefused,
  hashes: (entry) => expect(bytesToHex(algorithms[entry.algorithm]!(inputOf(entry)))).toBe(entry.output),
  doubleHashes: (entry) => {
    expect(bytesToHex(blake2bTwice(inputOf(entry)))).toBe(entry.blake2bDouble);
    expect(bytesToHex(blake3Twice(inputOf(entry)))).toBe(entry.blake3Double);
  },
  djb: djbHash,
  xorByte: (entry) => expect(xorByte(entry.input)).toBe(entry.output),
  foldToInt32: fold,
  merkleRoots: (entry) => expect(merkleRoot(entry.leaves)).toBe(entry.root),
  base58: (entry) => {
    expect(encodeBase58(hexToBytes(entry.hex))).toBe(entry.text);
    expect(bytesToHex(decodeBase58(entry.text)!)).toBe(entry.hex);
  },
  base58Invalid: (entry) => expect(decodeBase58(entry.text)).toBeUndefined(),
  hexText: (entry) => {
    const bytes = parseHex(entry.text);
    expect(bytes === undefined ? null : bytesToHex(bytes)).toBe(entry.bytes);
  },
  'target.decode': (entry) => {
    const value = targetValue(bits(entry.bits));
    expect(value.toString(16).padStart(entry.value.length, '0')).toBe(entry.value);
    if (value < 2n ** 256n && entry.reencoded !== undefined) expect(compactTarget(value)).toBe(bits(entry.reencoded));
  },
  'target.encode': (entry) => expect(compactTarget(BigInt(`0x${entry.value}`))).toBe(bits(entry.bits)),
  weights: (entry) => {
    // The value 0 has no weight: asking for it is a fault (protocol 01 §14.4).
    if (entry.weight === null) expect(() => workOf(bits(entry.bits))).toThrow();
    else expect(workOf(bits(entry.bits)).toString()).toBe(entry.weight);
  },
  byteOrder: (entry) => {
    expect(Math.sign(compareSignedBytes(entry.a, entry.b))).toBe(entry.compare);
    expect(Math.sign(compareSignedBytes(entry.b, entry.a)) + entry.compare).toBe(0);
  },
  sign: (entry) => {
    const key = hexToBytes(entry.privateKey);
    expect(bytesToHex(publicKeyOf(key))).toBe(entry.publicKey);
    expect(bytesToHex(sign(hexToBytes(entry.message), key))).toBe(entry.signature);
  },
  verify: (entry) =>
    expect(verifySignature(hexToBytes(entry.message), hexToBytes(entry.signature), hexToBytes(entry.publicKey))).toBe(
      entry.valid,
    ),
  arithmetic,
  amountText: (entry) => expect(parseCoinAmount(entry.text, 'COIN')?.toString() ?? null).toBe(entry.attoCoin),
  amountJson: (entry) => expect(parseAmount(entry.jsonString, 'COIN')?.toString() ?? null).toBe(entry.attoCoin),
  amountOut,
};

/** Sections with their entries; what is neither a list nor a group of lists is prose about the file. */
const sectionsOf = (file: Entry, prefix = ''): [string, Entry[]][] =>
  Object.entries(file).flatMap(([name, value]): [string, Entry[]][] => {
    if (Array.isArray(value)) return [[prefix + name, value]];
    return typeof value === 'object' && value !== null ? sectionsOf(value, `${prefix}${name}.`) : [];
  });

describe('vectors of encodings, hashes, signatures and amounts (encoding.json)', () => {
  const sections = sectionsOf(readVectors('encoding.json'));

  if (vectorOrigin === 'original')
    it('has a section for every claim', () => {
      expect(sections.map(([name]) => name).sort()).toEqual(Object.keys(claims).sort());
    });

  describe.each(sections.filter(([, entries]) => entries.length > 0))('%s', (name, entries) => {
    it.each(entries.map((entry, i) => [i, titleOf(entry), entry] as const))('%i: %s', (_i, _title, entry) => {
      const claim = claims[name];
      if (!claim) throw new Error(`no test claims the section ${name}`);
      claim(entry);
    });
  });
});

/** Enough of an entry to know it by. */
function titleOf({ source: _source, ...entry }: Entry): string {
  return JSON.stringify(entry).slice(0, 100);
}
