import { compactTarget } from '../primitives/index.js';
import { type NetworkSettings } from './settings.js';

/** The easiest target of a network as four bytes: 2^(256-numZeros) - 1 in compact form (protocol 03 §2.3). */
export const maxTarget = (settings: NetworkSettings): number =>
  compactTarget((1n << BigInt(256 - settings.numZeros)) - 1n);
