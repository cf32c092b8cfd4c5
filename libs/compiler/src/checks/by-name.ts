const indexes = new WeakMap<object, ReadonlyMap<string, number>>();

const indexOf = <T>(list: readonly T[], nameOf: (entry: T) => string): ReadonlyMap<string, number> => {
  const index = new Map<string, number>();
  for (const [position, entry] of list.entries()) if (!index.has(nameOf(entry))) index.set(nameOf(entry), position);
  return index;
};

/**
 * The position of the first entry of that name; -1: there is none. The index is cached with the list, so a list is always asked
 * with the same `nameOf`.
 */
export const positionByName = <T>(list: readonly T[], name: string, nameOf: (entry: T) => string): number => {
  let index = indexes.get(list);
  if (!index) indexes.set(list, (index = indexOf(list, nameOf)));
  return index.get(name) ?? -1;
};
