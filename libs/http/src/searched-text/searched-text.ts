import { placeOnChain, placeText } from './place-on-chain.js';

/** Characters of a pasted text that are read. */
const mostRead = 8_192;
/** Characters of a name. An address of many keys is longer (`textLengths.address`). */
const longestName = 256;

/** A line end, with what mail and terminals put before it and after it. */
const lineEnd = /[-=\\]?\r?\n[>|\s]*/g;
/** Characters that are not seen. */
const hidden = /[\p{DI}\p{Cf}\p{Cc}]/gu;
/** The same without those that join the parts of a picture or a word. */
const hiddenInNames = /(?!\ufe0f|[\u200c-\u200d]|[\u{e0020}-\u{e007f}])[\p{DI}\p{Cf}\p{Cc}]/gu;
/** Quotes, brackets, punctuation and blanks around a name; letters, digits and symbols belong to it. */
const aroundName = /^[\s\p{P}\p{DI}]+|(?<![\s\p{P}\p{DI}])[\s\p{P}\p{DI}]+$/gu;

const oneBlank = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The text as hashes, addresses and heights are looked for in it: wide digits as plain ones, nothing hidden. */
const flatText = (raw: string): string =>
  oneBlank(raw.normalize('NFKC').replaceAll(lineEnd, ' ').replaceAll(/\s/g, ' ').replaceAll(hidden, ''));

const nameText = (raw: string): string => {
  const text = oneBlank(raw.replaceAll(/\s/g, ' ').replaceAll(hiddenInNames, ''));
  const name = text.replaceAll(aroundName, '');
  return [...(name === '' ? text : name)].slice(0, longestName).join('');
};

/** `"address": `, `alephium:`, `block://`, `0x` and punctuation before a thing, which a group suffix is not. */
const before = /^(?:[^0-9a-z]*[a-z][\w+.-]{0,31}["']? ?[:=](?!\d{1,3}[^0-9a-z]*$))*[^0-9a-z]*(?:0?x(?=[0-9a-f]{5}))?/i;
const behind = /(?<=[0-9a-z])[^0-9a-z]+$/i;

const hash = /(?<![0-9a-z])(?:0?x)?([0-9a-f]{64}|[0-9a-f]{66})(?![0-9a-z])/i;
const splitHash = /(?<![0-9a-z])(?:0?x ?)?(0 ?[23](?: ?[0-9a-f]){64}|[0-9a-f](?: ?[0-9a-f]){63})(?![0-9a-z])/i;
const address = /(?<![0-9A-Za-z])([1-9A-HJ-NP-Za-km-z]{43,45})(?![0-9A-Za-z])/;
/** Of many keys, or with a character too many or too few. */
const oddAddress = /(?<![0-9A-Za-z])([1-9A-HJ-NP-Za-km-z]{40,2048})(?![0-9A-Za-z])/;
const oddHash = /(?<![0-9a-z])(?:0?x)?([0-9a-f]{40,128})(?![0-9a-z])/i;
const splitAddress = /^([1-9A-HJ-NP-Za-km-z]+(?: [1-9A-HJ-NP-Za-km-z]+)+)(?::\d{1,3})?$/;

/** Characters of an address of two keys. */
const shortestOfKeys = 90;
const wholeAddress = /^[1-9A-HJ-NP-Za-km-z]{43,45}$/;

const joined = (text: string): string => text.replaceAll(' ', '');

/** An address in pieces. Words are none: they have no digit. @param fits its whole length */
const addressOfPieces = (core: string, fits: (length: number) => boolean): string | undefined => {
  const text = joined(splitAddress.exec(core)?.[1] ?? '');
  return fits(text.length) && /\d/.test(text) ? text : undefined;
};

/** An address in pieces between words. */
const addressBetweenWords = (flat: string): string | undefined => {
  const pieces = flat.split(' ');
  for (const start of pieces.keys())
    for (let end = start + 2, text = ''; end <= pieces.length && text.length < 45; end++) {
      text = pieces.slice(start, end).join('');
      if (wholeAddress.test(text) && /\d/.test(text)) return text;
    }
  return undefined;
};

/** Hashes, keys and addresses, whatever stands around them. @param core `flat` without what is around it */
const idIn = (flat: string, core: string): string | undefined =>
  hash.exec(flat)?.[1]!.toLowerCase() ??
  (splitHash.test(flat) ? joined(splitHash.exec(flat)![1]!).toLowerCase() : undefined) ??
  addressOfPieces(core, (length) => length >= 43 && length <= 45) ??
  address.exec(flat)?.[1] ??
  addressOfPieces(core, (length) => length >= shortestOfKeys) ??
  addressBetweenWords(flat) ??
  oddHash.exec(flat)?.[1] ??
  oddAddress.exec(flat)?.[1];

const heightForm =
  /^(?:[^\s\d]*\/(?=blocks?\/|heights?\/))?(?:(?:blocks?|heights?|number|no|nr)[^0-9a-z]*)*(\d{1,3}(?:[ ,.'’_]\d{2,3})*[ ,.'’_]\d{3}|\d+)$/i;

/** `#1,234` as `1234`. Zeros before it stay: a hash begins so, too. */
const heightIn = (core: string): string | undefined => heightForm.exec(core)?.[1]!.replaceAll(/\D/g, '');

const placeIn = (core: string): string | undefined => {
  const place = placeOnChain(core);
  return place && placeText(place);
};

const shortenedForm = /^([0-9A-Za-z]{3,40})(?:\.\.+|…)([0-9A-Za-z]{2,40})$/;
/** With a digit: others are names. */
const beginningForm = /^(?=.*\d)([0-9A-Za-z]{5,39})(?::\d{1,3})?$/;

/** Texts that people shorten: `1DrDyT…rpQH`, `1DrDy`. */
const partIn = (core: string): string | undefined => {
  const [, first, last] = shortenedForm.exec(core) ?? [];
  return first === undefined ? beginningForm.exec(core)?.[1] : `${first}…${last}`;
};

const coreOf = (flat: string): string => flat.replace(before, '').replace(behind, '');

const urlForm = /:\/\/|^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?[/?#]/i;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The thing that the page of an explorer is about: the last one of its path, of the path behind `#` first, then of its query. */
const inUrl = (text: string | undefined): string | undefined => {
  const url = decoded(text ?? '')
    .replace(/^.*?:\/\//, '')
    .replace(behind, '');
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/.exec(url) ?? [];
  const [route = '', routeQuery = ''] = fragment.includes('/') ? fragment.split('?', 2) : [];
  const paths = [path.replace(/^[^/]*/, ''), route];
  const parts = paths.flatMap((each) => each.split('/')).reverse();
  for (const part of [...parts, query, routeQuery, fragment]) {
    const id = idIn(part, coreOf(part));
    if (id !== undefined) return id;
  }
  for (const each of paths.reverse()) {
    const [, from, to, height] = /\/(\d{1,2})\/(\d{1,2})(?:\/(?:blocks?\/)?(\d{1,10}))?\/?$/.exec(each) ?? [];
    if (from !== undefined) return height === undefined ? `${from}/${to}` : `${from}/${to} ${height}`;
    const last = heightIn(each.split('/').findLast((part) => part !== '') ?? '');
    if (last !== undefined) return last;
  }
  const [, asked] = /[?&]q=([^&#]+)/.exec(`${query}&${routeQuery}`) ?? [];
  return asked?.replaceAll('+', ' ');
};

/**
 * A searched text in the one form that searches take: of a hash, an address, a height or a chain the thing alone, of an
 * address of an explorer's page what that is about, of any other text the text without quotes and blanks around it.
 * @returns empty: nothing in it can be seen
 */
export const searchedText = (raw: string): string => {
  const read = raw.slice(0, mostRead);
  const flat = flatText(read);
  const core = coreOf(flat);
  const found =
    placeIn(core) ?? heightIn(core) ?? inUrl([flat, core].find((text) => urlForm.test(text))) ?? idIn(flat, core);
  return found ?? partIn(core) ?? nameText(read);
};
