/**
 * Encoding of a payload between processes: JSON text. Byte values are replaced by `{"$bytes":0}`, `{"$bytes":1}` ... in the
 * JSON. Their bytes follow the text in that order, and the header `X-Bytes` lists all lengths, the text's first.
 */
import { isUtf8 } from 'node:buffer';
import { types } from 'node:util';

export const bytesHeader = 'X-Bytes';
const mark = '$bytes';

/** The bytes are no frame, or the payload fits in none. Names the broken rule, never a part of the message. */
export class FrameError extends Error {}

export interface Frame {
  readonly data: Uint8Array;
  /** Value of the header `X-Bytes`; undefined for JSON alone. */
  readonly lengths: string | undefined;
}

/** Throws FrameError for what JSON cannot carry (a bigint, a circle) and for a field `$bytes` beside bytes. */
export const encodeFrame = (payload: unknown): Frame => {
  if (payload === undefined) return { data: new Uint8Array(0), lengths: undefined };
  const found: Found = { parts: [], isMarked: false };
  const text = stringify(payload, found);
  if (found.parts.length === 0) return { data: Buffer.from(text), lengths: undefined };
  if (found.isMarked) throw new FrameError(`a field may not be called ${mark} beside bytes`);
  const textLength = Buffer.byteLength(text);
  const lengths = [textLength, ...found.parts.map((part) => part.length)];
  const data = Buffer.allocUnsafe(sumOf(lengths));
  data.write(text, 0);
  let offset = textLength;
  for (const part of found.parts) {
    data.set(part, offset);
    offset += part.length;
  }
  return { data, lengths: lengths.join(',') };
};

/**
 * Inverse of `encodeFrame`. `lengths`: the header `X-Bytes`, empty without one. Throws FrameError for any other bytes.
 * Byte values are views of `data`, unless a view would retain a much larger buffer.
 */
export const decodeFrame = (data: Uint8Array, lengths: string): unknown => {
  if (lengths === '') return data.length === 0 ? undefined : parse(data);
  const [textLength = 0, ...partLengths] = parseLengths(lengths, data.length);
  const parsed = parse(data.subarray(0, textLength));
  const parts: Uint8Array[] = [];
  let offset = textLength;
  for (const length of partLengths) {
    parts.push(ownedPart(data, offset, length));
    offset += length;
  }
  const state = { parts, used: new Set<number>() };
  let whole: unknown;
  try {
    whole = withParts(parsed, state);
  } catch (error) {
    // JSON text nested deeper than the stack allows.
    throw error instanceof FrameError ? error : new FrameError('its text is nested too deep', { cause: error });
  }
  if (state.used.size !== parts.length) throw new FrameError('some of its bytes have no place');
  return whole;
};

interface Found {
  readonly parts: Uint8Array[];
  isMarked: boolean;
}

const stringify = (payload: unknown, found: Found): string => {
  try {
    const text = JSON.stringify(withPlaces(payload, found)) as string | undefined;
    if (text !== undefined) return text;
  } catch (error) {
    throw new FrameError('it is no JSON', { cause: error });
  }
  throw new FrameError('it is no JSON');
};

/** Returns the value itself if it holds no bytes: most messages need no copy. */
const withPlaces = (value: unknown, found: Found): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (types.isUint8Array(value)) return { [mark]: found.parts.push(value) - 1 };
  const holder = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(holder)) {
    if (key === mark) found.isMarked = true;
    const item = holder[key];
    const placed = withPlaces(item, found);
    if (placed === item) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...holder }) as Record<string, unknown>;
    copy[key] = placed;
  }
  return copy ?? value;
};

/** Inserts the bytes at their places. Changes the parsed value, which nobody else holds. */
const withParts = (value: unknown, state: { readonly parts: Uint8Array[]; readonly used: Set<number> }): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const holder = value as Record<string, unknown>;
  if (Object.hasOwn(holder, mark)) return partAt(holder[mark], state);
  for (const key of Object.keys(holder)) {
    const item = holder[key];
    if (typeof item !== 'object' || item === null) continue;
    const whole = withParts(item, state);
    if (whole === item) continue;
    // Assigning to this name would change the prototype of the object, not a field.
    if (key === '__proto__') throw new FrameError('bytes stand in a field that none of ours has');
    holder[key] = whole;
  }
  return value;
};

const partAt = (index: unknown, { parts, used }: { readonly parts: Uint8Array[]; readonly used: Set<number> }) => {
  const part = typeof index === 'number' ? parts[index] : undefined;
  if (!part) throw new FrameError('a place names bytes that are not there');
  used.add(index as number);
  return part;
};

const parse = (bytes: Uint8Array): unknown => {
  if (!isUtf8(bytes)) throw new FrameError('its text is not UTF-8');
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as unknown;
  } catch {
    // The error of the parser quotes the message, which may hold a secret.
    throw new FrameError('its text is no JSON');
  }
};

const parseLengths = (lengths: string, total: number): number[] => {
  const numbers = /^\d{1,10}(,\d{1,10})*$/.test(lengths) ? lengths.split(',').map(Number) : [];
  if (numbers.length === 0 || sumOf(numbers) !== total) throw new FrameError('its lengths do not fit');
  return numbers;
};

/**
 * Messages from one read of the socket share a buffer of up to 64 kB; a larger message lies in a buffer that grew by
 * doubling. A block retained for hours must not retain that buffer. Nothing writes to those buffers again, so a view is
 * as good as a copy.
 */
const ownedPart = (data: Uint8Array, offset: number, length: number): Uint8Array => {
  const start = data.byteOffset + offset;
  const view = new Uint8Array(data.buffer, start, length);
  return length * 2 < data.buffer.byteLength ? view.slice() : view;
};

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
