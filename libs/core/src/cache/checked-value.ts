import { createHash } from 'node:crypto';

/** Version of the form below; a change turns all older values into misses. */
const version = 1;
const checksumBytes = 12;
const headBytes = 1 + checksumBytes;

/** Covers the key too: a value under a wrong key is rejected. */
const checksumOf = (key: string, value: Uint8Array): Uint8Array => {
  const keyBytes = Buffer.from(key);
  const keyLength = Buffer.alloc(4);
  keyLength.writeUInt32BE(keyBytes.length);
  const digest = createHash('sha256').update(keyLength).update(keyBytes).update(value).digest();
  return digest.subarray(0, checksumBytes);
};

/** A stored value: a version byte, 12 bytes of SHA-256 over key and value, the value. */
export const withChecksum = (key: string, value: Uint8Array): Buffer =>
  Buffer.concat([Uint8Array.of(version), checksumOf(key, value), value]);

/** The value in `kept`, or undefined if `withChecksum` did not make these bytes for this key. */
export const withoutChecksum = (key: string, kept: Uint8Array): Uint8Array | undefined => {
  if (kept.length < headBytes || kept[0] !== version) return undefined;
  const value = kept.subarray(headBytes);
  return Buffer.compare(checksumOf(key, value), kept.subarray(1, headBytes)) === 0 ? value : undefined;
};
