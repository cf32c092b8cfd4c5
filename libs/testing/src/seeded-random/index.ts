/** Numbers 0 <= x < 1 from a 32-bit seed, always the same ones (mulberry32). For tests, and for random faults. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** One of the items, each as likely. */
export const oneOf = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)]!;
