import { bigintFromBytes, bigintToBytes, sameBytes } from '../encoding/index.js';
import { keccak256 } from './hashes.js';
import { type KeyRecoveryEngine } from './key-recovery-engine.js';
import { keyRecoveryEngine } from './selected-engines.js';
import { curveOrder, isScalar, messageNumber } from './secp256k1-numbers.js';
import { publicKeyOf } from './signatures.js';

const addressOf = (coordinates: Uint8Array): Uint8Array => keccak256(coordinates).slice(12);

/**
 * 1/value modulo the curve order, for a value that is no multiple of it. Euclid's algorithm, because scripts can
 * request it often.
 */
const inverse = (value: bigint): bigint => {
  let [divided, divisor] = [curveOrder, value];
  let [previous, factor] = [0n, 1n];
  while (divisor > 0n) {
    const quotient = divided / divisor;
    [divided, divisor] = [divisor, divided - quotient * divisor];
    [previous, factor] = [factor, previous - quotient * factor];
  }
  return previous < 0n ? previous + curveOrder : previous;
};

/** Whether s·R = e·G: the recovered key is then the point at infinity. */
const isInfinity = (message: Uint8Array, signature: Uint8Array, oddY: boolean): boolean => {
  const k = (bigintFromBytes(message) * inverse(bigintFromBytes(signature.subarray(32)))) % curveOrder;
  if (k === 0n) return false;
  const point = publicKeyOf(bigintToBytes(k, 32));
  return point[0] === (oddY ? 3 : 2) && sameBytes(point.subarray(1), signature.subarray(0, 32));
};

/** `recoverEthAddress` over a given engine. */
export const ethAddressRecoveryOver =
  (engine: KeyRecoveryEngine) =>
  (hash: Uint8Array, signature: Uint8Array): Uint8Array | undefined => {
    if (hash.length !== 32 || signature.length !== 65) return undefined;
    const v = signature[64];
    if (v !== 27 && v !== 28) return undefined;
    const rs = signature.subarray(0, 64);
    if (!isScalar(rs.subarray(0, 32)) || !isScalar(rs.subarray(32))) return undefined;
    const message = messageNumber(hash);
    try {
      return addressOf(engine.recover(message, rs, v === 28).subarray(1));
    } catch {
      // Engines refuse the point at infinity; the protocol hashes its zero coordinates (protocol 05 §18.14).
      return isInfinity(message, rs, v === 28) ? addressOf(new Uint8Array(0)) : undefined;
    }
  };

/**
 * The 20-byte address of the key that signed the 32-byte hash with the 65-byte signature r ++ s ++ v, v being 27 or 28;
 * undefined for anything malformed and when r is no point of the curve (protocol 05 §6.5, EthEcRecover). s may be of
 * either half. A key at infinity has an address too.
 */
export const recoverEthAddress = ethAddressRecoveryOver(keyRecoveryEngine);
