import { placeOnChain } from './place-on-chain.js';

/** Kind of a text by its form, whether or not it exists. The first that fits. */
const looks = [
  ['empty', /^$/],
  ['hash', /^[0-9a-f]{64}$/i],
  ['publicKey', /^[0-9a-f]{66}$/i],
  ['height', /^\d+$/],
  ['brokenHash', /^[0-9a-f]{40,}$/i],
  ['address', /^[1-9A-HJ-NP-Za-km-z]{40,}$/],
  ['shortened', /^[0-9A-Za-z]+…[0-9A-Za-z]+$/],
  ['link', /:\/\//],
  ['beginning', /^(?=.*\d)[0-9A-Za-z]{5,39}$/],
  ['name', /^.{2,32}$/],
  ['other', /^/],
] as const satisfies readonly (readonly [string, RegExp])[];

export type Look = (typeof looks)[number][0] | 'place';

/** @param text as `searchedText` returns it */
export const lookOf = (text: string): Look =>
  placeOnChain(text) === undefined ? looks.find(([, form]) => form.test(text))![0] : 'place';
