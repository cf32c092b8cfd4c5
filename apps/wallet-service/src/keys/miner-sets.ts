/**
 * The complete sets of a miner wallet: set k holds, for each group in ascending order, the k-th address of that group
 * (protocol 07 §3.5).
 */
export const completeSets = <Address extends { readonly group: number }>(
  addresses: readonly Address[],
  groups: number,
): Address[][] => {
  const byGroup = Array.from({ length: groups }, (_, group) => addresses.filter((one) => one.group === group));
  const complete = Math.min(...byGroup.map(({ length }) => length));
  return Array.from({ length: complete }, (_, set) => byGroup.map((ofGroup) => ofGroup[set]!));
};
