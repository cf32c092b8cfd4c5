import { addressOf } from '../address/index.js';
import { type LockupScript } from '../primitives/index.js';

/** Default advice at the end of a detail. */
export const buildAgain = 'build the transaction again';

/** `1 output`, `3 outputs`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `input 2 of 3`; `index` counts from 0. */
export const placeOf = (noun: string, index: number, count: number): string => `${noun} ${index + 1} of ${count}`;

/** The owner of an output, for texts. */
export const ownerText = (script: LockupScript): string => `address ${addressOf(script)}`;
