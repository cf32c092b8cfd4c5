/** A count with its noun, whose plural ends in `s`: `1 error`, `2 errors`. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
