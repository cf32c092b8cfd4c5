/** Pages that stand beside the current one. */
const near = 2;

/**
 * The numbers of pages that are linked to, ascending: the first, the last and those near; undefined: some are left out there.
 * @param current from 1
 * @param last 0: there is none
 */
export const pageNumbers = (current: number, last: number): (number | undefined)[] => {
  const around = Array.from({ length: 2 * near + 1 }, (_, i) => current - near + i);
  const wanted = new Set([1, ...around, last].filter((page) => page >= 1 && page <= last));
  const shown = [...wanted].sort((a, b) => a - b);
  return shown.flatMap((page, i) => (page === 1 || shown[i - 1] === page - 1 ? [page] : [undefined, page]));
};
