/**
 * Merges lists that ascend in time into one that does, too; of items of equal time, those of the earlier list come first.
 * Reads one item of each list ahead, and no more than are taken.
 */
export function* mergeByTime<Item>(
  lists: readonly Iterable<Item>[],
  timeOf: (item: Item) => number,
): Generator<Item, void> {
  const rests = lists.map((list) => list[Symbol.iterator]());
  const headOf = (rest: Iterator<Item>): { readonly item: Item; readonly time: number } | undefined => {
    const { value, done } = rest.next();
    return done ? undefined : { item: value, time: timeOf(value) };
  };
  const heads = rests.map(headOf);
  for (;;) {
    let first = -1;
    for (const [index, head] of heads.entries()) {
      if (head && (first < 0 || head.time < heads[first]!.time)) first = index;
    }
    if (first < 0) return;
    yield heads[first]!.item;
    heads[first] = headOf(rests[first]!);
  }
}
