/** Character codes of the two digits of each byte. */
const digitCodes = new Uint8Array(512);
for (let byte = 0; byte < 256; byte++) {
  const text = byte.toString(16).padStart(2, '0');
  digitCodes[2 * byte] = text.charCodeAt(0);
  digitCodes[2 * byte + 1] = text.charCodeAt(1);
}
const chunkLength = 1024;
const chunkCodes = new Uint8Array(2 * chunkLength);

const values = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  values[digit.charCodeAt(0)] = value;
  values[digit.toUpperCase().charCodeAt(0)] = value;
}

const chunkToHex = (bytes: Uint8Array, start: number, end: number): string => {
  let used = 0;
  for (let i = start; i < end; i++) {
    const place = 2 * bytes[i]!;
    chunkCodes[used++] = digitCodes[place]!;
    chunkCodes[used++] = digitCodes[place + 1]!;
  }
  return String.fromCharCode.apply(null, chunkCodes.subarray(0, used) as unknown as number[]);
};

/**
 * Lower-case hexadecimal, no prefix (protocol 01 §16.1). Built from character codes in one step, because texts joined
 * digit by digit are slow as keys of maps, and hashes are such keys.
 */
export const bytesToHex = (bytes: Uint8Array): string => {
  if (bytes.length <= chunkLength) return chunkToHex(bytes, 0, bytes.length);
  let text = '';
  for (let start = 0; start < bytes.length; start += chunkLength)
    text += chunkToHex(bytes, start, Math.min(start + chunkLength, bytes.length));
  return text;
};

/**
 * Parses hexadecimal text: either case; space, tab, line feed and carriage return are ignored anywhere
 * (protocol 01 §16.1). Undefined for anything else, an odd number of digits included.
 */
export const parseHex = (text: string): Uint8Array | undefined => {
  const clean = /[ \t\n\r]/.test(text) ? text.replace(/[ \t\n\r]/g, '') : text;
  if (clean.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(clean.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = values[clean.charCodeAt(2 * i)] ?? -1;
    const low = values[clean.charCodeAt(2 * i + 1)] ?? -1;
    if (high < 0 || low < 0) return undefined;
    bytes[i] = high * 16 + low;
  }
  return bytes;
};

/** Bytes of hexadecimal text that is known to be good (constants, own ids). Throws RangeError otherwise. */
export const hexToBytes = (text: string): Uint8Array => {
  const bytes = parseHex(text);
  if (!bytes) throw new RangeError(`expected hexadecimal text, got ${text.length} characters that are not`);
  return bytes;
};
