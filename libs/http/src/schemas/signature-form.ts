/** Values that libraries write for the parity of a point, also for compressed keys. */
const isRecoveryByte = (byte: number): boolean => byte <= 3 || (byte >= 27 && byte <= 34);

/** A sequence that begins with an integer; in bitcoin a byte for the kind of hash follows. */
const isDer = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x30 && bytes[2] === 2 && (bytes[1] === bytes.length - 2 || bytes[1] === bytes.length - 3);

const recoveryPlace = (bytes: Uint8Array): string => {
  const [isFirst, isLast] = [isRecoveryByte(bytes[0]!), isRecoveryByte(bytes[64]!)];
  if (isFirst === isLast) return 'first or the last';
  return isFirst ? 'first' : 'last';
};

/** The change that makes 64 bytes r, s of another form of a signature; completes "expected ..". */
export const signatureFormAdvice = (bytes: Uint8Array): string | undefined => {
  if (isDer(bytes)) return ': 32 bytes of r, then 32 of s, and not DER';
  if (bytes.length !== 65) return undefined;
  return `, without a recovery byte: leave out the ${recoveryPlace(bytes)} byte`;
};
