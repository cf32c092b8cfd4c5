const largestExact = BigInt(Number.MAX_SAFE_INTEGER);

/** Milliseconds as a JSON number, or as a text of digits if a double cannot hold them (protocol 07 §1.6, 4). */
export const timestampForm = (milliseconds: bigint): number | string =>
  milliseconds <= largestExact ? Number(milliseconds) : milliseconds.toString();
