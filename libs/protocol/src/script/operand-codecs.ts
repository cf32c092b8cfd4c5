import {
  type ByteReader,
  type Codec,
  byteString,
  fixedBytes,
  fixedI32,
  i256,
  i32,
  invalidValue,
  u256,
  unsignedByte,
  vector,
} from '../encoding/index.js';
import { lockupScriptCodec } from '../primitives/index.js';
import { type OperandKind } from './instruction-table.js';
import { type Instruction } from './model.js';

type Operand = NonNullable<Instruction['operand']>;

const maxOffset = 65536;

/** Jump offset, counted in instructions (protocol 01 §13.4). Refused outside -65536..65536. */
const offset: Codec<number> = {
  write: i32.write,
  read: (reader) => {
    const value = i32.read(reader);
    if (Math.abs(value) > maxOffset) throw invalidValue(`Invalid offset ${value}`);
    return value;
  },
};

/** Method selector: 4 bytes as a signed number; missing bytes have their own error text (protocol 01 §1). */
const selector: Codec<number> = {
  write: fixedI32.write,
  read: (reader: ByteReader) => {
    if (reader.remaining < 4) throw invalidValue(`Invalid int from bytes: expected 4, got ${reader.remaining}`);
    return fixedI32.read(reader);
  },
};

const twoBytes: Codec<Uint8Array> = {
  write: fixedBytes(2).write,
  read: (reader) => Uint8Array.of(reader.byte(), reader.byte()),
};

/** One codec for each kind of operand. The table pairs kind and value, so the cast holds for decoded instructions. */
export const operandCodecs = {
  index: unsignedByte,
  i256,
  u256,
  bytes: byteString,
  lockupScript: lockupScriptCodec,
  offset,
  byteStrings: vector(byteString),
  twoBytes,
  selector,
} as unknown as { readonly [Kind in OperandKind]: Codec<Operand> };
