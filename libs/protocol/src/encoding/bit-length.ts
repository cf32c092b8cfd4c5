/** Bits of a number that is not negative, without leading zeros; 0 for 0. */
export const bitLength = (value: bigint): number => {
  if (value < 0x4000_0000n) return 32 - Math.clz32(Number(value));
  const digits = value.toString(16);
  return 4 * digits.length + 28 - Math.clz32(parseInt(digits[0]!, 16));
};
