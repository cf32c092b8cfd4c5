/** Words that are no names (protocol 06 §2.2). */
const reservedWords: ReadonlySet<string> = new Set(
  (
    'Contract AssetScript TxScript Interface Abstract ALPH struct let mut fn return true false if else while for ' +
    'pub event emit extends embeds implements alph const enum mapping'
  ).split(' '),
);

export const isReserved = (word: string): boolean => reservedWords.has(word);

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
export const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a;
export const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;

export const isLetter = (code: number): boolean => isLower(code) || isUpper(code);

const lastAscii = 0x7f;

/** Whether a character is one of these. True for all behind ASCII if one of these is. */
export const isOneOf = (characters: string): ((code: number) => boolean) => {
  const codes = new Uint8Array(lastAscii + 1);
  let hasOthers = false;
  for (const character of characters) {
    const code = character.charCodeAt(0);
    if (code > lastAscii) hasOthers = true;
    else codes[code] = 1;
  }
  return (code) => (code > lastAscii ? hasOthers : codes[code] === 1);
};

/** Whether the character may continue a name: letter, digit or `_`. */
export const continuesName = (code: number): boolean =>
  isLower(code) || isUpper(code) || isDigit(code) || code === 0x5f;

/** The position behind the letters, digits and `_` from `position` on. */
export const endOfName = (text: string, position: number): number => {
  let at = position;
  while (continuesName(text.charCodeAt(at))) at += 1;
  return at;
};

/** Types that every source knows: no structs, no contracts (protocol 06 §4.1). */
export const primitiveNames = ['Bool', 'I256', 'U256', 'ByteVec', 'Address'] as const;

export type PrimitiveName = (typeof primitiveNames)[number];

export const isPrimitiveName = (name: string): name is PrimitiveName =>
  (primitiveNames as readonly string[]).includes(name);
