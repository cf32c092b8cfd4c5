import { type Hash } from './hash.js';

/** Identifies an output by its hint (signed 32-bit; odd for asset outputs) and its key (protocol 01 §7, §8.2). */
export interface OutputReference {
  readonly hint: number;
  readonly key: Hash;
}
