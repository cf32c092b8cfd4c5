/** DJB hash of any bytes as a signed 32-bit number: script hints, checksums of peer messages (protocol 01 §4.2). */
export const djb = (bytes: Uint8Array): number => {
  let hash = 5381;
  for (const byte of bytes) hash = (Math.imul(hash, 33) + byte) | 0;
  return hash;
};

/** Exclusive-or of the four bytes of a 32-bit number, 0..255 (protocol 01 §4.3). */
export const xorByte = (value: number): number => {
  const halves = value ^ (value >>> 16);
  return (halves ^ (halves >>> 8)) & 0xff;
};

/** Sum of the big-endian 32-bit words of a hash, as a signed 32-bit number (protocol 01 §4.4). */
export const foldToInt32 = (bytes: Uint8Array): number => {
  let sum = 0;
  for (let i = 0; i + 4 <= bytes.length; i += 4)
    sum = (sum + ((bytes[i]! << 24) | (bytes[i + 1]! << 16) | (bytes[i + 2]! << 8) | bytes[i + 3]!)) | 0;
  return sum;
};
