/** Longest part of a client's text in an error, in characters. */
const longest = 80;

/** The beginning of a text of any length, for an error that repeats it. */
export const beginningOf = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}...` : text);
