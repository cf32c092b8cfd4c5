import { seededRandom } from '../seeded-random/index.js';

/** The list in a random order determined by the seed (Fisher and Yates). */
export const permuted = <T>(list: readonly T[], seed: number): T[] => {
  const random = seededRandom(seed);
  const result = [...list];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
};
