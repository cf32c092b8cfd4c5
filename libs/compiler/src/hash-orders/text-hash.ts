/** h = 31 h + unit modulo 2^32, for each UTF-16 unit (protocol 06 §9.4). Signed. */
export const textHash = (text: string): number => {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return hash;
};

const rotateLeft = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

const mix = (hash: number, value: number): number => {
  const mixed = Math.imul(rotateLeft(Math.imul(value, 0xcc9e2d51), 15), 0x1b873593);
  return (Math.imul(rotateLeft(hash ^ mixed, 13), 5) + 0xe6546b64) | 0;
};

const seed = 0xcafebabe | 0;

/** The product hash P(prefix, parts): murmur3 of the prefix' text hash and the parts (protocol 06 §9.4). */
export const productHash = (prefix: string, ...parts: readonly number[]): number => {
  let hash = [textHash(prefix), ...parts].reduce(mix, seed) ^ parts.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
};
