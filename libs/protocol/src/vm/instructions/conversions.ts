import { bigintFromBytes, bigintToBytes, boolean, type Codec, encode, i256, u256 } from '../../encoding/index.js';
import { i256Max, type LockupScript, lockupScriptCodec } from '../../primitives/index.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { type Machine } from '../machine.js';
import { words } from '../gas.js';

/** Pushes the result, then charges for its length (protocol 05 §6.3). */
const pushCharged = (machine: Machine, bytes: Uint8Array): void => {
  machine.pushBytes(bytes);
  machine.charge(words(bytes.length));
};

/** Length in bytes that is sufficient for every value except a lockup script of several keys. */
const usualLength = 36;

/** The content encoding of a value, without its type byte. */
const toByteVec =
  <T>(pop: (machine: Machine) => T, codec: Codec<T>): Execute =>
  (machine) =>
    pushCharged(machine, encode(codec, pop(machine), usualLength));

/** Digits and letters only: starting a general text encoder takes longer than copying these. */
const asciiBytes = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
};

/** Cached for each address: encoding one with many keys takes far longer than its gas covers. */
const encodedAddresses = new WeakMap<LockupScript, Uint8Array>();
const encodedAddress = (address: LockupScript): Uint8Array => {
  const known = encodedAddresses.get(address);
  if (known) return known;
  const bytes = encode(lockupScriptCodec, address);
  encodedAddresses.set(address, bytes);
  return bytes;
};

const toText =
  (pop: (machine: Machine) => bigint | boolean): Execute =>
  (machine) =>
    pushCharged(machine, asciiBytes(pop(machine).toString()));

/** Big-endian, exactly `size` bytes. */
const toBytes =
  (size: number): Execute =>
  (machine) => {
    const value = machine.popU256();
    if (value >> BigInt(8 * size)) fail('InvalidConversion', { type: 'U256', value }, 'ByteVec');
    pushCharged(machine, bigintToBytes(value, size));
  };

const fromBytes =
  (size: number): Execute =>
  (machine) => {
    const bytes = machine.popBytes();
    if (bytes.length !== size) fail('InvalidBytesSize');
    machine.pushU256(bigintFromBytes(bytes));
    machine.charge(words(size));
  };

const sizes = [1, 2, 4, 8, 16, 32];

/** Numbers, booleans and addresses to and from bytes and each other (protocol 05 §6.3). */
export const conversionInstructions: InstructionImplementations = {
  I256ToU256: (machine) => {
    const value = machine.popI256();
    if (value < 0n) fail('InvalidConversion', { type: 'I256', value }, 'U256');
    machine.pushU256(value);
  },
  U256ToI256: (machine) => {
    const value = machine.popU256();
    if (value > i256Max) fail('InvalidConversion', { type: 'U256', value }, 'I256');
    machine.pushI256(value);
  },
  BoolToByteVec: toByteVec((machine) => machine.popBool(), boolean),
  I256ToByteVec: toByteVec((machine) => machine.popI256(), i256),
  U256ToByteVec: toByteVec((machine) => machine.popU256(), u256),
  AddressToByteVec: (machine) => pushCharged(machine, encodedAddress(machine.popAddress())),
  BoolToString: toText((machine) => machine.popBool()),
  I256ToString: toText((machine) => machine.popI256()),
  U256ToString: toText((machine) => machine.popU256()),
  ...Object.fromEntries(sizes.map((size) => [`U256To${size}Byte`, toBytes(size)])),
  ...Object.fromEntries(sizes.map((size) => [`U256From${size}Byte`, fromBytes(size)])),
};
