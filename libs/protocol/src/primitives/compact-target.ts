const hashSpace = 1n << 256n;

const byteLength = (value: bigint): number => (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2));

/**
 * The number encoded by the four bytes of a target (protocol 01 §14.4, 03 §9.1). `bits` is the unsigned 32-bit number
 * of the four bytes: one byte of size, three of mantissa. Accepts everything; may exceed 2^256-1.
 */
export const targetValue = (bits: number): bigint => {
  const size = bits >>> 24;
  const mantissa = bits & 0xffffff;
  return size <= 3 ? BigInt(mantissa >> (8 * (3 - size))) : BigInt(mantissa) << BigInt(8 * (size - 3));
};

/** The four bytes for a value 0 <= value < 2^256; low bits that do not fit are lost (protocol 01 §14.4, 03 §9.1). */
export const compactTarget = (value: bigint): number => {
  if (value < 0n || value >= hashSpace) throw new RangeError(`a target lies in 0 to 2^256-1, got ${value}`);
  const size = byteLength(value);
  const mantissa = size <= 3 ? value << BigInt(8 * (3 - size)) : value >> BigInt(8 * (size - 3));
  return ((size << 24) | Number(mantissa)) >>> 0;
};

/**
 * floor(2^256 / value): the weight of a block and its difficulty (protocol 01 §14.4, 03 §9.2). Throws RangeError for
 * the value 0, which has no weight: check the work of a header first.
 */
export const workOf = (bits: number): bigint => {
  const value = targetValue(bits);
  if (value === 0n) throw new RangeError('a target of value 0 has no weight');
  return hashSpace / value;
};

/** The target of a difficulty of at least 1; not always the inverse of `workOf` (protocol 03 §9.2). */
export const targetOfDifficulty = (difficulty: bigint): number =>
  difficulty === 1n ? 0x20ffffff : compactTarget(hashSpace / difficulty);
