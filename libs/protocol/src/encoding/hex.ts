const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const values = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  values[digit.charCodeAt(0)] = value;
  values[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Lower-case hexadecimal, no prefix (protocol 01 §16.1). */
export const bytesToHex = (bytes: Uint8Array): string => {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += digits[bytes[i]!];
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
