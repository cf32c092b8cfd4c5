/** A chain, or a height of it. */
export interface PlaceOnChain {
  readonly from: number;
  readonly to: number;
  readonly height?: number;
}

/** Longer ones have no meaning here. */
const longest = 256;

/** What somebody searches for, without blanks around it; of an address of another explorer its last part. */
export const searchedText = (raw: string): string => {
  const text = raw.replaceAll(/\s+/g, ' ').trim().slice(0, longest);
  if (!/^https?:\/\//.test(text)) return text;
  const parts = text.split(/[?#]/, 1)[0]!.split('/');
  return parts.slice(3).findLast((part) => part !== '') ?? '';
};

const placeForm = /^(\d{1,2}) ?(?:\/|>|->|→) ?(\d{1,2})(?:[ @](\d{1,10}))?$/;

/** `0/2`, `0/2 1234`, `0>2@1234`; undefined for any other text. */
export const placeOnChain = (text: string): PlaceOnChain | undefined => {
  const [, from, to, height] = placeForm.exec(text) ?? [];
  if (from === undefined) return undefined;
  return { from: Number(from), to: Number(to), ...(height !== undefined && { height: Number(height) }) };
};

/** What a text looks like, whether or not there is such a thing. The first that fits. */
const looks = [
  ['hash', /^[0-9a-f]{64}$/i],
  ['publicKey', /^[0-9a-f]{66}$/i],
  ['height', /^\d+$/],
  ['place', placeForm],
  ['address', /^[1-9A-HJ-NP-Za-km-z]{40,}$/],
  ['brokenHash', /^[0-9a-f]{40,}$/i],
  ['name', /^.{2,32}$/],
  ['other', /^/],
] as const satisfies readonly (readonly [string, RegExp])[];

export type Look = (typeof looks)[number][0];

export const lookOf = (text: string): Look => looks.find(([, form]) => form.test(text))![0];
