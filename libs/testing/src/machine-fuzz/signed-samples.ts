import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { bigintFromBytes, bigintToBytes, hexToBytes } from '@shardnode/protocol/encoding';
import { publicKeyOf, sign } from '@shardnode/protocol/crypto';

/** Byte strings for an instruction that checks a signature, the first pushed first. */
export interface SignedSample {
  readonly instruction: string;
  readonly operands: readonly Uint8Array[];
  /** Results of the instruction. */
  readonly results: readonly string[];
}

const data = new Uint8Array(32).fill(3);
const key = new Uint8Array(32).fill(7);

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

/** A point of order 8. */
const torsion = ed25519.Point.fromBytes(
  hexToBytes('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
  true,
);

/** Valid with the cofactor only: R is a point of small order, S = h * a (protocol 05 §19.1). */
const cofactoredSignature = (): Uint8Array => {
  const publicKey = ed25519.getPublicKey(key);
  const { scalar } = ed25519.utils.getExtendedPublicKey(key);
  const r = torsion.toBytes();
  const challenge = bigintFromBytes(sha512(joined(r, publicKey, data)).reverse());
  const order = ed25519.Point.Fn.ORDER;
  return joined(r, bigintToBytes((challenge * scalar) % order, 32).reverse());
};

/** Recovers the point at infinity: s * R = e * G (protocol 05 §18.14). */
const atInfinity = (): readonly Uint8Array[] => {
  const point = secp256k1.getPublicKey(key, true);
  const e = (bigintFromBytes(key) * bigintFromBytes(key)) % secp256k1.Point.Fn.ORDER;
  return [bigintToBytes(e, 32), joined(point.slice(1), key, Uint8Array.of(25 + point[0]!))];
};

const recoverable = (): readonly Uint8Array[] => {
  const signed = secp256k1.sign(data, key, { prehash: false, format: 'recovered' });
  return [data, joined(signed.slice(1), Uint8Array.of(27 + signed[0]!))];
};

export const signedSamples: readonly SignedSample[] = [
  { instruction: 'VerifySecP256K1', operands: [data, publicKeyOf(key), sign(data, key)], results: [] },
  {
    instruction: 'VerifyBIP340Schnorr',
    operands: [data, schnorr.getPublicKey(key), schnorr.sign(data, key, data)],
    results: [],
  },
  { instruction: 'VerifyED25519', operands: [data, ed25519.getPublicKey(key), ed25519.sign(data, key)], results: [] },
  { instruction: 'VerifyED25519', operands: [data, ed25519.getPublicKey(key), cofactoredSignature()], results: [] },
  { instruction: 'EthEcRecover', operands: recoverable(), results: ['v'] },
  { instruction: 'EthEcRecover', operands: atInfinity(), results: ['v'] },
];
