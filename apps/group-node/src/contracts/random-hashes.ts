import { randomFillSync } from 'node:crypto';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';

const hashLength = 32;
/** Hashes per batch: one system call for randomness costs more than a small contract call. */
const hashesAtATime = 128;

const pool = new Uint8Array(hashesAtATime * hashLength);
let taken = pool.length;

/** 32 random bytes; each value is returned once. */
export const randomHash = (): Hash => {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += hashLength;
  return bytesToHex(pool.subarray(taken - hashLength, taken));
};
