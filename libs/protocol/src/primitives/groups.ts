import { xorByte } from '../crypto/short-hashes.js';
import { type Hash } from './hash.js';
import { scriptHint } from './hints.js';
import { type AssetLockupScript } from './lockup-script.js';
import { type OutputReference } from './output-reference.js';

/** Group of the outputs with this lockup script (protocol 01 §7). */
export const groupOfLockupScript = (script: AssetLockupScript, groups: number): number =>
  xorByte(scriptHint(script)) % groups;

/** Group of an asset output reference (protocol 01 §7). */
export const groupOfReference = (reference: OutputReference, groups: number): number =>
  xorByte(reference.hint | 1) % groups;

/** Group of a contract: the last byte of its id; undefined when no group has that number (protocol 01 §7). */
export const groupOfContract = (contractId: Hash, groups: number): number | undefined => {
  const group = parseInt(contractId.slice(-2), 16);
  return group < groups ? group : undefined;
};
