/** Longest text of a stranger that is shown, in characters (protocol 08 §9). */
const longest = 64;
const mark = '\u{FFFD}';

/** Controls, and characters that change the direction of the text after them or are not seen. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text that anybody could have written, as it may be shown: its hidden characters as marks, cut. @param most characters */
export const plainText = (text: string, most = longest): string => {
  const characters = [...text.replaceAll(hidden, mark)];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : characters.join('');
};

/** The text that bytes are; undefined when they are none. @param hex bytes */
const decodedText = (hex: string): string | undefined => {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The message of an output: its text if it is one, else its digits. @param hex bytes */
export const messageText = (hex: string): string => {
  const text = decodedText(hex);
  return text === undefined ? hex : plainText(text);
};

/** The text of bytes that mean one: without any hidden character. Numbers and hashes seldom look so. @param hex bytes */
export const readableText = (hex: string): string | undefined => {
  const text = decodedText(hex);
  return text === undefined || text === '' || text.search(hidden) >= 0 ? undefined : plainText(text);
};
