const leastBuckets = 16;
const mostBuckets = 2 ** 30;

const bucketsFor = (size: number): number => {
  let buckets = leastBuckets;
  while (size >= (buckets * 3) / 4 && buckets < mostBuckets) buckets *= 2;
  return buckets;
};

/**
 * The order in which a hash table lists some of its entries (protocol 06 §9.4): by bucket, then by the spread hash as a signed
 * number. Entries that are added later never come before equal ones. `size`: of the whole table.
 */
export const tableOrder = <T>(
  entries: readonly T[],
  hashOf: (entry: T) => number,
  size: number = entries.length,
): T[] => {
  const buckets = bucketsFor(size);
  return entries
    .map((entry) => {
      const hash = hashOf(entry);
      const spread = hash ^ (hash >>> 16);
      return { entry, spread, bucket: spread & (buckets - 1) };
    })
    .sort((a, b) => a.bucket - b.bucket || a.spread - b.spread)
    .map(({ entry }) => entry);
};
