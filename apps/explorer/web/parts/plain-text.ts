/** Longest text of a stranger that is shown, in characters (protocol 08 §9). */
const longest = 64;
const mark = '\u{FFFD}';

/** Controls, and characters that change the direction of the text after them or are not seen. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Scripts in which a joiner or a non-joiner behind a letter changes how the next one is written. */
const joiningScripts =
  'Arab Syrc Nkoo Mong Mand Phag Adlm Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Thaa Laoo Thai'
    .split(' ')
    .map((script) => String.raw`\p{scx=${script}}`)
    .join('');

const pictograph = String.raw`\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\uFE0F]*`;

/** Hidden characters that belong to what they stand in, with it: nothing can be told apart by leaving them out. */
const belonging = [
  // A picture made of several: a family, a profession.
  String.raw`${pictograph}(?:\u200D${pictograph})+`,
  // The flag of a region: letters that nobody sees, behind a black flag.
  String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]+\u{E007F}`,
  // One joiner or non-joiner behind a letter or its marks.
  String.raw`(?<=[${joiningScripts}])[\u200C\u200D](?![\u200C\u200D])`,
  // Signs that enclose the number behind them, and separators of single scripts.
  String.raw`[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]`,
  String.raw`(?<=\p{scx=Mong})\u180E`,
  String.raw`(?<=\p{scx=Egyp})[\u{13430}-\u{1343F}]`,
];
const belongingOrHidden = new RegExp(`(${belonging.join('|')})|${hidden.source}`, 'gu');

/** White space that is no blank; a line end of two characters is one. */
const blanks = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;

const cut = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length > most
    ? `${characters
        .slice(0, most)
        .join('')
        .replace(/\u200D$/, '')}…`
    : text;
};

/**
 * A name that anybody could have chosen, as it may be shown: its hidden characters as marks, cut. Two names that look the same are
 * the same. @param most characters
 */
export const plainText = (text: string, most = longest): string => cut(text.replaceAll(hidden, mark), most);

/**
 * What somebody wrote, as it may be shown: in every script and with every picture. Line ends and tabs are blanks, padding is left
 * out, and what deceives (changes of direction, controls, other characters that nobody sees) is marked.
 */
export const writtenText = (text: string, most = longest): string =>
  cut(
    text
      .replaceAll(/^[\s\0]+|[\s\0]+$/g, '')
      .replaceAll(blanks, ' ')
      .replaceAll(belongingOrHidden, (_all, kept: string | undefined) => kept ?? mark),
    most,
  );

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
  return text === undefined ? hex : writtenText(text) || hex;
};

/** The text of bytes that mean one: without any hidden character. Numbers and hashes seldom look so. @param hex bytes */
export const readableText = (hex: string): string | undefined => {
  const text = decodedText(hex);
  return text === undefined || text === '' || text.search(hidden) >= 0 ? undefined : plainText(text);
};
