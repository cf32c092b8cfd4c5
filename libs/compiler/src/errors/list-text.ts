/** Characters of a list in a message: the same long name may stand in it as often as the source has commas. */
export const longestList = 2 ** 22;

/** `List(A, B)`; a longer one than any source of a person makes ends in `...`. */
export const listText = <T>(entries: readonly T[], textOf: (entry: T) => string): string => {
  const texts: string[] = [];
  let length = 0;
  for (const entry of entries) {
    const text = textOf(entry);
    length += text.length;
    if (length > longestList) {
      texts.push('...');
      break;
    }
    texts.push(text);
  }
  return `List(${texts.join(', ')})`;
};
