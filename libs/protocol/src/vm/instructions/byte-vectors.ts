import { decode, DecodeError, encode, sameBytes } from '../../encoding/index.js';
import { type LockupScript, lockupScriptCodec, sameLockupScript } from '../../primitives/index.js';
import { valsCodec } from '../../script/index.js';
import { encodedFieldsLength } from '../encoded-length.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { words } from '../gas.js';

/** Indexes and counts from here on do not fit a signed 32-bit number. */
const firstIndexRefused = 1n << 31n;
const maxZeros = 4096n;

const comparing =
  (expected: boolean): Execute =>
  (machine) => {
    const b = machine.popBytes();
    const a = machine.popBytes();
    machine.charge(3 + words(b.length));
    machine.pushBool(sameBytes(a, b) === expected);
  };

const comparingAddresses =
  (expected: boolean): Execute =>
  (machine) => {
    const b = machine.popAddress();
    machine.pushBool(sameLockupScript(machine.popAddress(), b) === expected);
  };

const concatenate: Execute = (machine) => {
  const b = machine.popBytes();
  const a = machine.popBytes();
  machine.charge(3 + a.length + b.length);
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  machine.pushBytes(bytes);
};

const slice: Execute = (machine) => {
  const end = machine.popU256();
  if (end >= firstIndexRefused) fail('InvalidBytesSliceArg');
  const begin = machine.popU256();
  if (begin >= firstIndexRefused) fail('InvalidBytesSliceArg');
  const bytes = machine.popBytes();
  if (begin > end || end > bytes.length) fail('InvalidBytesSliceArg');
  machine.charge(3 + Number(end - begin));
  machine.pushBytes(bytes.slice(Number(begin), Number(end)));
};

const encodeFields: Execute = (machine) => {
  const count = machine.popU256();
  if (count >= firstIndexRefused) fail('InvalidLengthForEncodeInstr');
  const fields = machine.popMany(Number(count));
  const length = encodedFieldsLength(fields);
  machine.charge(3 + length);
  machine.pushBytes(encode(valsCodec, fields, length));
};

const zeros: Execute = (machine) => {
  const size = machine.popU256();
  if (size > maxZeros) fail('InvalidSizeForZeros');
  machine.charge(3 + words(Number(size)));
  machine.pushBytes(new Uint8Array(Number(size)));
};

const decodeAddress = (bytes: Uint8Array): LockupScript => {
  try {
    return decode(lockupScriptCodec, bytes);
  } catch (error) {
    if (error instanceof DecodeError) fail('SerdeErrorByteVecToAddress', bytes, error);
    throw error;
  }
};

/** Byte vectors are immutable: a loop decodes a long one only once. */
const addressByBytes = new WeakMap<Uint8Array, LockupScript>();

const toAddress: Execute = (machine) => {
  const bytes = machine.popBytes();
  const address = addressByBytes.get(bytes) ?? decodeAddress(bytes);
  machine.charge(words(bytes.length));
  addressByBytes.set(bytes, address);
  machine.pushAddress(address);
};

const contractIdToAddress: Execute = (machine) => {
  const contractId = machine.popContractId();
  machine.charge(5);
  machine.pushAddress({ kind: 'p2c', contractId });
};

/**
 * Byte vectors and addresses (protocol 05 §6.3). Each charge precedes the construction of its result: the failure is
 * the same, and no result is larger than its gas permits.
 */
export const byteVectorInstructions: InstructionImplementations = {
  ByteVecEq: comparing(true),
  ByteVecNeq: comparing(false),
  ByteVecSize: (machine) => machine.pushU256(BigInt(machine.popBytes().length)),
  ByteVecConcat: concatenate,
  ByteVecSlice: slice,
  Encode: encodeFields,
  Zeros: zeros,
  ByteVecToAddress: toAddress,
  ContractIdToAddress: contractIdToAddress,
  AddressEq: comparingAddresses(true),
  AddressNeq: comparingAddresses(false),
  IsAssetAddress: (machine) => machine.pushBool(machine.popAddress().kind !== 'p2c'),
  IsContractAddress: (machine) => machine.pushBool(machine.popAddress().kind === 'p2c'),
};
