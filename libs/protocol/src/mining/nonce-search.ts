import { type BlockHeader, headerCodec, targetValue } from '../block/index.js';
import { blake3Twice } from '../crypto/index.js';
import { bigintFromBytes, encode } from '../encoding/index.js';
import { type NetworkSettings } from '../network/index.js';
import { type ChainIndex, flatIndex, nonceLength } from '../primitives/index.js';

/** The next 24-byte number, big-endian, in place; wraps at the end. */
const increment = (bytes: Uint8Array): void => {
  for (let i = nonceLength - 1; i >= 0; i--) {
    bytes[i] = bytes[i]! + 1;
    if (bytes[i] !== 0) return;
  }
};

/**
 * Tries up to `maxTries` nonces from `startNonce` on (24 bytes, counted up as one big-endian number) until the hash
 * lies on the chain and has enough work (protocol 03 §11.2). Undefined if none does: continue from `startNonce` +
 * `maxTries`. On an easy target every 16th nonce succeeds; the caller chooses `maxTries` so that it never blocks for
 * long.
 */
export const searchNonce = (
  header: Omit<BlockHeader, 'nonce'>,
  chain: ChainIndex,
  settings: NetworkSettings,
  startNonce: Uint8Array,
  maxTries: number,
): Uint8Array | undefined => {
  const bytes = encode(headerCodec, { ...header, nonce: startNonce });
  const wanted = flatIndex(chain, settings.groups);
  const chains = settings.groups ** 2;
  const limit = targetValue(header.target);
  for (let tries = 0; tries < maxTries; tries++) {
    const hash = blake3Twice(bytes);
    const onChain = (hash[30]! * 256 + hash[31]!) % chains === wanted;
    if (onChain && bigintFromBytes(hash) <= limit) return bytes.slice(0, nonceLength);
    increment(bytes);
  }
  return undefined;
};
