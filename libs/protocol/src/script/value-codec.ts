import { type Codec, boolean, byteString, i256, u256, unsignedByte, vector, wrongFormat } from '../encoding/index.js';
import { lockupScriptCodec } from '../primitives/index.js';
import { type Val } from './model.js';

/** A value with its kind byte (protocol 01 §13.3). Refused when the kind byte is above 04. */
export const valCodec: Codec<Val> = {
  write: (writer, val) => {
    switch (val.type) {
      case 'Bool':
        writer.byte(0);
        return boolean.write(writer, val.value);
      case 'I256':
        writer.byte(1);
        return i256.write(writer, val.value);
      case 'U256':
        writer.byte(2);
        return u256.write(writer, val.value);
      case 'ByteVec':
        writer.byte(3);
        return byteString.write(writer, val.value);
      case 'Address':
        writer.byte(4);
        return lockupScriptCodec.write(writer, val.value);
    }
  },
  read: (reader) => {
    const kind = unsignedByte.read(reader);
    switch (kind) {
      case 0:
        return { type: 'Bool', value: boolean.read(reader) };
      case 1:
        return { type: 'I256', value: i256.read(reader) };
      case 2:
        return { type: 'U256', value: u256.read(reader) };
      case 3:
        return { type: 'ByteVec', value: byteString.read(reader) };
      case 4:
        return { type: 'Address', value: lockupScriptCodec.read(reader) };
      default:
        throw wrongFormat(`Invalid type id: ${(kind << 24) >> 24}`);
    }
  },
};

/** A list of fields: its count and its values (protocol 05 §2.3). */
export const valsCodec: Codec<readonly Val[]> = vector(valCodec);

/** Bytes charged for a field: an estimate, not the length of the encoding (protocol 05 §2.5). */
export const estimatedSize = (val: Val): number => {
  switch (val.type) {
    case 'Bool':
      return 1;
    case 'I256':
    case 'U256':
      return 32;
    case 'ByteVec':
      return val.value.length;
    case 'Address':
      return val.value.kind === 'p2mpkh' ? 32 * val.value.publicKeyHashes.length : 32;
  }
};

/** The sum over a list of fields (protocol 05 §2.5). */
export const estimatedSizeOf = (vals: readonly Val[]): number => vals.reduce((sum, val) => sum + estimatedSize(val), 0);
