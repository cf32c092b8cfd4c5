import { bigintFromBytes, bigintToBytes, sameBytes } from '../encoding/index.js';
import { type HashEngine } from './hash-engine.js';
import { type SchnorrEngine } from './schnorr-engine.js';
import { nobleSchnorrEngine } from './schnorr-engine-noble.js';
import { curveOrder } from './secp256k1-numbers.js';

const joined = (...parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
};

/** x mod n as an ECDSA r, and the recovery id of the point with this x and an even y. */
const asRecoverySignature = (x: bigint): { r: bigint; recoveryId: number } =>
  x < curveOrder ? { r: x, recoveryId: 0 } : { r: x - curveOrder, recoveryId: 2 };

/**
 * BIP340 by ECDSA key recovery, which libsecp256k1 offers natively: from the "signature" (r = x(P), -e·x(P)) over the
 * "message" -s·x(P) it recovers s·G - e·P, the point that must have the x coordinate r and an even y. Five times as
 * fast as WebAssembly. Rejects where there is no binary for the machine.
 */
export const loadNativeSchnorrEngine = async (hashes: HashEngine): Promise<SchnorrEngine> => {
  const { default: bindings } = await import('secp256k1/bindings.js');
  const tag = hashes.sha256(new TextEncoder().encode('BIP0340/challenge'));
  return {
    name: 'secp256k1 native',
    verify: (message, signature, publicKey) => {
      const r = signature.subarray(0, 32);
      const s = bigintFromBytes(signature.subarray(32));
      if (s >= curveOrder) return false;
      const e = bigintFromBytes(hashes.sha256(joined(tag, tag, r, publicKey, message))) % curveOrder;
      const key = asRecoverySignature(bigintFromBytes(publicKey));
      const minusEx = curveOrder - ((e * key.r) % curveOrder);
      const minusSx = (curveOrder - ((s * key.r) % curveOrder)) % curveOrder;
      // Recovery refuses zero in these numbers; such a challenge or key cannot be made on purpose.
      if (minusEx === curveOrder) return nobleSchnorrEngine.verify(message, signature, publicKey);
      const recovery = joined(bigintToBytes(key.r, 32), bigintToBytes(minusEx, 32));
      const point = bindings.ecdsaRecover(recovery, key.recoveryId, bigintToBytes(minusSx, 32), true);
      return point[0] === 2 && sameBytes(r, point.subarray(1));
    },
  };
};
