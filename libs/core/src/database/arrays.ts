/**
 * Array parameters in PostgreSQL's binary form: one value per column. So statements stay constant and the number of
 * rows is not limited by the number of parameters. The driver sends a Buffer as binary; the server checks type and
 * lengths.
 */
const headerLength = 20;
const elementTypes = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, text: 25, uuid: 2950 } as const;

const writeHeader = (buffer: Buffer, elementType: number, count: number): void => {
  buffer.writeInt32BE(1, 0); // dimensions
  buffer.writeInt32BE(1, 4); // may hold NULL
  buffer.writeInt32BE(elementType, 8);
  buffer.writeInt32BE(count, 12);
  buffer.writeInt32BE(1, 16); // lower bound
};

const fixedArray = <T>(
  elementType: number,
  width: number,
  values: readonly (T | undefined)[],
  write: (buffer: Buffer, value: T, offset: number) => void,
): Buffer => {
  const buffer = Buffer.allocUnsafe(headerLength + values.length * (4 + width));
  writeHeader(buffer, elementType, values.length);
  let offset = headerLength;
  for (const value of values) {
    buffer.writeInt32BE(value === undefined ? -1 : width, offset);
    offset += 4;
    if (value === undefined) continue;
    write(buffer, value, offset);
    offset += width;
  }
  return buffer.subarray(0, offset);
};

/** Undefined becomes NULL. */
export const int2Array = (values: readonly (number | undefined)[]): Buffer =>
  fixedArray(elementTypes.int2, 2, values, (buffer, value, offset) => buffer.writeInt16BE(value, offset));

/** Undefined becomes NULL. */
export const int4Array = (values: readonly (number | undefined)[]): Buffer =>
  fixedArray(elementTypes.int4, 4, values, (buffer, value, offset) => buffer.writeInt32BE(value, offset));

/** Undefined becomes NULL. */
export const int8Array = (values: readonly (bigint | undefined)[]): Buffer =>
  fixedArray(elementTypes.int8, 8, values, (buffer, value, offset) => buffer.writeBigInt64BE(value, offset));

export const booleanArray = (values: readonly boolean[]): Buffer =>
  fixedArray(elementTypes.bool, 1, values, (buffer, value, offset) => buffer.writeUInt8(value ? 1 : 0, offset));

/** 32-byte values from 64 hexadecimal digits each, as bytea[]. */
export const hashArray = (values: readonly string[]): Buffer =>
  fixedArray(elementTypes.bytea, 32, values, (buffer, value, offset) => {
    if (buffer.write(value, offset, 'hex') !== 32) throw new RangeError(`expected 64 hexadecimal digits: ${value}`);
  });

/** 16-byte values from 32 hexadecimal digits each, as uuid[]. */
export const uuidArray = (values: readonly string[]): Buffer =>
  fixedArray(elementTypes.uuid, 16, values, (buffer, value, offset) => {
    if (buffer.write(value, offset, 'hex') !== 16) throw new RangeError(`expected 32 hexadecimal digits: ${value}`);
  });

const variableArray = (elementType: number, values: readonly (Uint8Array | undefined)[]): Buffer => {
  let length = headerLength;
  for (const value of values) length += 4 + (value?.length ?? 0);
  const buffer = Buffer.allocUnsafe(length);
  writeHeader(buffer, elementType, values.length);
  let offset = headerLength;
  for (const value of values) {
    buffer.writeInt32BE(value ? value.length : -1, offset);
    offset += 4;
    if (!value) continue;
    buffer.set(value, offset);
    offset += value.length;
  }
  return buffer;
};

/** Undefined becomes NULL. */
export const byteaArray = (values: readonly (Uint8Array | undefined)[]): Buffer =>
  variableArray(elementTypes.bytea, values);

/** Undefined becomes NULL. */
export const textArray = (values: readonly (string | undefined)[]): Buffer =>
  variableArray(
    elementTypes.text,
    values.map((value) => (value === undefined ? undefined : Buffer.from(value))),
  );
