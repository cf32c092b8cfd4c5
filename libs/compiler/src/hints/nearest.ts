/** Names that are compared: a longer one is no slip of the fingers. */
const longestName = 40;

/** Characters that are left out, added, changed, or exchanged with their neighbour. */
const distance = (a: string, b: string): number => {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
};

/**
 * The name among those known that was probably meant: the first of the nearest ones, a third of the characters away at most.
 * Case and the `!` of built-in functions count for nothing. Undefined: there is none.
 */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > longestName) return undefined;
  const form = (each: string): string => each.replace('!', '').toLowerCase();
  const wanted = form(name);
  let best = { distance: Math.floor(wanted.length / 3) + 1, name: undefined as string | undefined };
  for (const each of known) {
    if (each === name || Math.abs(each.length - name.length) > best.distance || each.length > longestName) continue;
    const found = distance(wanted, form(each));
    if (found < best.distance) best = { distance: found, name: each };
  }
  return best.name;
};
