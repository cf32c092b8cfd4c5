/** Blocks below the top within which locators lie, besides genesis (protocol 08 §4.3). */
export const deepestLocator = 400;

/**
 * Heights of the locators of a chain, descending: the top, 1, 2, 4, 8 ... and 400 below it, genesis (protocol 08 §4.3).
 * @param top height of the last block that the follower has; -1 for none, which gives no locators
 */
export const locatorHeights = (top: number): number[] => {
  const depths = [0];
  for (let depth = 1; depth < deepestLocator; depth *= 2) depths.push(depth);
  const heights = [...depths, deepestLocator].map((depth) => top - depth).filter((height) => height > 0);
  return top < 0 ? [] : [...heights, 0];
};
