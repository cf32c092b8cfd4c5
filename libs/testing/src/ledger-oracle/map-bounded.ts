/**
 * Runs a function for each item with bounded concurrency; results in the order of the items. The first failure rejects.
 */
export const mapBounded = async <Item, Result>(
  items: readonly Item[],
  concurrency: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let place = next++; place < items.length; place = next++) results[place] = await run(items[place]!);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  return results;
};
