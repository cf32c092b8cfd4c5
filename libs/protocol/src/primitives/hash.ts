/** A 32-byte hash or id (block hash, transaction id, output key, token id ...) as 64 lower-case hexadecimal digits. */
export type Hash = string;

/** 32 zero bytes (protocol 01 §4.1). */
export const zeroHash: Hash = '0'.repeat(64);

const signedDigit = (hex: string, i: number): number => {
  const code = hex.charCodeAt(i);
  return code >= 97 ? code - 87 : code - 48;
};

/**
 * Orders hashes by their bytes as signed numbers: 80 < ff < 00 < 7f; a prefix is smaller (protocol 01 §3, 03 §7.1).
 * Negative, zero or positive, as Array.sort expects. Both texts are lower-case hexadecimal.
 */
export const compareSignedBytes = (a: Hash, b: Hash): number => {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a.charCodeAt(i) === b.charCodeAt(i)) continue;
    const flip = i % 2 === 0 ? 8 : 0;
    return (signedDigit(a, i) ^ flip) - (signedDigit(b, i) ^ flip);
  }
  return a.length - b.length;
};
