import { addressOf } from '../address/index.js';
import { type LockupScript } from '../primitives/index.js';

/** What ends a detail where nothing else helps. */
export const buildAgain = 'build the transaction again';

/** `1 output`, `3 outputs`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `input 2 of 3`; `index` counts from 0. */
export const placeOf = (noun: string, index: number, count: number): string => `${noun} ${index + 1} of ${count}`;

/** Who owns an output. */
export const ownerText = (script: LockupScript): string => `address ${addressOf(script)}`;
