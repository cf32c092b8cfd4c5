/** Of the networks of the tests. */
export const groups = [0, 1, 2, 3] as const;

/** All 16 chains in the order of the API's lists. */
export const chains = groups.flatMap((from) => groups.map((to) => ({ from, to })));
