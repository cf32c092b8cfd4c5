import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { withNegatedS } from '@shardnode/testing/signatures';
import { bigintFromBytes, bigintToBytes } from '../encoding/index.js';
import {
  blake2b,
  diagnoseSignature,
  publicKeyOf,
  sha256,
  sign,
  type SignatureMistake,
  verifySignature,
} from './index.js';
import { nobleKeyRecoveryEngine } from './key-recovery-engine-noble.js';
import { type KeyRecoveryEngine } from './key-recovery-engine.js';
import { curveOrder } from './secp256k1-numbers.js';
import { keyRecoveryEngine } from './selected-engines.js';
import { signatureDiagnosisOver } from './signature-mistakes.js';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const privateKey = bytes32.map((bytes) => bigintToBytes((bigintFromBytes(bytes) % (curveOrder - 1n)) + 1n, 32));
const keys = fc.uniqueArray(privateKey, { minLength: 2, maxLength: 5, selector: (key) => bigintFromBytes(key) });
const settings = { numRuns: 30 };

const flipped = (signature: Uint8Array, isUpperHalf: boolean): Uint8Array =>
  isUpperHalf ? withNegatedS(signature) : signature;

const diagnosis = (
  message: Uint8Array,
  signature: Uint8Array,
  [publicKey, ...otherKeys]: readonly Uint8Array[],
): SignatureMistake => diagnoseSignature({ message, signature, publicKey: publicKey!, otherKeys });

describe('the mistake of a signature that does not verify', () => {
  it('every good signature with n - s in place of s is of the upper half', () => {
    fc.assert(
      fc.property(bytes32, keys, (message, [own, ...others]) => {
        const signature = withNegatedS(sign(message, own!));
        const publicKeys = [own!, ...others].map(publicKeyOf);
        expect(verifySignature(message, signature, publicKeys[0]!)).toBe(false);
        expect(diagnosis(message, signature, publicKeys)).toEqual({ kind: 'upper-half' });
      }),
      settings,
    );
  });

  it.each([
    ['BLAKE2b', blake2b],
    ['SHA-256', sha256],
    ['double SHA-256', (message: Uint8Array) => sha256(sha256(message))],
  ] as const)('a message that was hashed by %s, with s of either half', (hash, hashOf) => {
    fc.assert(
      fc.property(bytes32, privateKey, fc.boolean(), (message, key, isUpperHalf) => {
        const signature = flipped(sign(hashOf(message), key), isUpperHalf);
        const expected = { kind: 'hashed-before', hash, isUpperHalf };
        expect(diagnosis(message, signature, [publicKeyOf(key)])).toEqual(expected);
      }),
      settings,
    );
  });

  it('a signature of another of the keys, with s of either half', () => {
    fc.assert(
      fc.property(bytes32, keys, fc.nat(), fc.boolean(), (message, all, at, isUpperHalf) => {
        const publicKeys = all.map(publicKeyOf);
        const signer = 1 + (at % (all.length - 1));
        const signature = flipped(sign(message, all[signer]!), isUpperHalf);
        const expected = { kind: 'another-order', publicKey: publicKeys[signer]!, isUpperHalf };
        expect(diagnosis(message, signature, publicKeys)).toEqual(expected);
      }),
      settings,
    );
  });

  it('is unknown for another transaction or a key that is not there, and says so of the upper half', () => {
    fc.assert(
      fc.property(bytes32, bytes32, keys, fc.boolean(), (message, other, [own, foreign], isUpperHalf) => {
        fc.pre(bigintFromBytes(message) !== bigintFromBytes(other));
        const publicKeys = [publicKeyOf(own!)];
        const expected = { kind: 'unknown', isUpperHalf };
        expect(diagnosis(message, flipped(sign(other, own!), isUpperHalf), publicKeys)).toEqual(expected);
        expect(diagnosis(message, flipped(sign(message, foreign!), isUpperHalf), publicKeys)).toEqual(expected);
      }),
      settings,
    );
  });

  it('is unknown for a valid signature', () => {
    const key = bigintToBytes(7n, 32);
    expect(diagnosis(new Uint8Array(32), sign(new Uint8Array(32), key), [publicKeyOf(key)])).toEqual({
      kind: 'unknown',
      isUpperHalf: false,
    });
  });

  it('never throws, and finds nothing in random bytes', () => {
    const any = fc.uint8Array({ maxLength: 70 });
    fc.assert(
      fc.property(any, any, any, any, (message, signature, publicKey, other) => {
        expect(diagnosis(message, signature, [publicKey, other]).kind).toBe('unknown');
      }),
    );
    const edge = fc.constantFrom(0n, 1n, curveOrder / 2n, curveOrder / 2n + 1n, curveOrder - 1n, curveOrder);
    const edges = fc.tuple(edge, edge).map((rs) => Uint8Array.from(rs.flatMap((one) => [...bigintToBytes(one, 32)])));
    fc.assert(
      fc.property(bytes32, edges, privateKey, (message, signature, key) => {
        expect(diagnosis(message, signature, [publicKeyOf(key)]).kind).toBe('unknown');
      }),
      settings,
    );
  });
});

describe('the cost of a diagnosis', () => {
  const key = bigintToBytes(9n, 32);
  const message = new Uint8Array(32).fill(3);
  const request = {
    message,
    signature: sign(new Uint8Array(32).fill(4), key),
    publicKey: publicKeyOf(key),
    otherKeys: Array.from({ length: 1_000 }, (_, i) => publicKeyOf(bigintToBytes(BigInt(i) + 10n, 32))),
  };
  const counted = (): { engine: KeyRecoveryEngine; verify: typeof verifySignature; count: () => number } => {
    let calls = 0;
    const recover: KeyRecoveryEngine['recover'] = (...given) => {
      calls += 1;
      return keyRecoveryEngine.recover(...given);
    };
    const verify: typeof verifySignature = (...given) => {
      calls += 1;
      return verifySignature(...given);
    };
    return { engine: { name: 'counting', recover }, verify, count: () => calls };
  };

  it('is five operations on the curve, however many keys there are', () => {
    const { engine, verify, count } = counted();
    expect(signatureDiagnosisOver(engine, verify)(request).kind).toBe('unknown');
    expect(count()).toBe(5);
  });

  it('is none for numbers that no signature has', () => {
    const { engine, verify, count } = counted();
    for (const signature of [new Uint8Array(64), new Uint8Array(63).fill(1), new Uint8Array(64).fill(255)])
      expect(signatureDiagnosisOver(engine, verify)({ ...request, signature }).kind).toBe('unknown');
    expect(count()).toBe(0);
  });

  it('has the same result over the plain engine', () => {
    const diagnose = signatureDiagnosisOver(nobleKeyRecoveryEngine, verifySignature);
    const signature = sign(message, bigintToBytes(400n, 32));
    expect(diagnose({ ...request, signature })).toEqual(diagnoseSignature({ ...request, signature }));
    expect(diagnose({ ...request, signature }).kind).toBe('another-order');
  });
});
