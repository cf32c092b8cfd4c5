import { gasOfHashing, scriptBaseGas } from '../primitives/index.js';

/** Charges with a formula (protocol 05 §7.1). Fixed charges of instructions stand in the instruction table. */

/** 8-byte words that hold `length` bytes. */
export const words = (length: number): number => Math.ceil(length / 8);

/** Charge of `length` bytes of code: scripts, and contract code in creation and migration. */
export const gasOfCode = (length: number): number => scriptBaseGas + length;

/** `size`: the estimated size of all fields and the length of the method area, in bytes. */
export const gasOfContractLoad = (size: number): number => 800 + words(size);

/** Besides the field charge. */
export const contractUpdateGas = 5_000;

/** Deriving the id of a sub-contract whose path has `pathLength` bytes: two hashes (protocol 05 §10.4 step 6). */
export const gasOfSubContractId = (pathLength: number): number => gasOfHashing(32 + pathLength) + gasOfHashing(32);
