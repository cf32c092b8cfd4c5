/** Columns of a terminal that fit every text. */
export const terminalColumns = 100;

/** Lines of at most so many columns, broken between words; a longer word, such as a path, stays whole. */
export const wrapped = (text: string, columns: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};
