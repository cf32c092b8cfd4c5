import { compareSignedBytes, type Hash } from '../primitives/index.js';

export interface PoolOrderKey {
  readonly id: Hash;
  /** attoCoin per unit of gas. */
  readonly gasPrice: bigint;
  /** Entry time, milliseconds. */
  readonly enteredAt: bigint;
}

/** Higher gas price first, then earlier entry, then the greater id over signed bytes (protocol 02 §13.3). */
export const comparePoolOrder = (a: PoolOrderKey, b: PoolOrderKey): number => {
  if (a.gasPrice !== b.gasPrice) return a.gasPrice > b.gasPrice ? -1 : 1;
  if (a.enteredAt !== b.enteredAt) return a.enteredAt < b.enteredAt ? -1 : 1;
  return compareSignedBytes(b.id, a.id);
};
