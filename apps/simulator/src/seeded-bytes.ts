/** Returns a source of so many bytes at a time, from numbers 0 <= x < 1. */
export const seededBytes =
  (random: () => number) =>
  (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => Math.floor(random() * 256));
