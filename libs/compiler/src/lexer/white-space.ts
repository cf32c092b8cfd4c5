const [space, tab, lineFeed, carriageReturn, slash] = [0x20, 0x09, 0x0a, 0x0d, 0x2f];

/** The first position at or after `position` that is neither white space nor in a line comment (protocol 06 §2.1). */
export const skipWhiteSpace = (text: string, position: number): number => {
  let at = position;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === space || code === lineFeed || code === tab || code === carriageReturn) {
      at += 1;
    } else if (code === slash && text.charCodeAt(at + 1) === slash) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else {
      return at;
    }
  }
};
