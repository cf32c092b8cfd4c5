/** Pages beside the chosen one that have a number. */
const beside = 2;

/**
 * Numbers of pages that lead somewhere: the first, the last, and those beside the chosen one.
 * @param page from 1
 * @param last the last page that is known; 0: there is none
 * @returns undefined stands for pages that are left out
 */
export const pageNumbers = (page: number, last: number): readonly (number | undefined)[] => {
  const near = Array.from({ length: 2 * beside + 1 }, (_, i) => page - beside + i);
  const known = [1, ...near, last].filter((number) => number >= 1 && number <= Math.max(page, last));
  const shown = [...new Set(known)].toSorted((a, b) => a - b);
  return shown.flatMap((number, i) => (i > 0 && number > shown[i - 1]! + 1 ? [undefined, number] : [number]));
};
