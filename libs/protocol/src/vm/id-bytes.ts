import { bytesToHex, hexToBytes } from '../encoding/index.js';
import { type Hash } from '../primitives/index.js';
import { type Val } from '../script/index.js';
import { bytesVal } from './values.js';

/** Values of runs are shared and never change, so their text is cached: a loop over an id costs a few units of gas. */
const idByBytes = new WeakMap<Uint8Array, Hash>();

/** The id that 32 bytes are; undefined for another length. */
export const idOfBytes = (bytes: Uint8Array): Hash | undefined => {
  if (bytes.length !== 32) return undefined;
  const known = idByBytes.get(bytes);
  if (known !== undefined) return known;
  const id = bytesToHex(bytes);
  idByBytes.set(bytes, id);
  return id;
};

/** The ids and hashes that a run has pushed, as values: one value for each. */
export class IdValues {
  private readonly byId = new Map<Hash, Val>();

  of(id: Hash): Val {
    const known = this.byId.get(id);
    if (known) return known;
    const val = bytesVal(hexToBytes(id));
    this.byId.set(id, val);
    return val;
  }
}
