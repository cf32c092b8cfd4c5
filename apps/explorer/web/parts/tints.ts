/** Steps of the tint of an area, from little to much. */
export const tints = 5;

/** The step of a share from 0 to 1; 0 for none. */
export const tintOf = (share: number): number => Math.ceil(share * tints);
