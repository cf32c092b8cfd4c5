import { describe, expect, it } from '@jest/globals';
import { readVectors } from '@shardnode/testing/vectors';
import { fc } from '@shardnode/testing/properties';
import { bigintToBytes, bytesToHex, hexToBytes } from '../encoding/index.js';
import { firstThatLoads, signatureEngine } from './selected-engines.js';
import { loadNativeSignatureEngine } from './signature-engine-native.js';
import { nobleSignatureEngine } from './signature-engine-noble.js';
import { loadWasmSignatureEngine } from './signature-engine-wasm.js';
import { type SignatureEngine } from './signature-engine.js';
import { publicKeysOver, publicKeyTestOver, signerOver, verifierOver } from './signatures.js';

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const number = (value: bigint): Uint8Array => bigintToBytes(value, 32);
const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

/** The native engine is absent where no binary fits the machine. */
const native = await loadNativeSignatureEngine().catch(() => undefined);
const fast = [native, await loadWasmSignatureEngine()].filter((engine) => engine !== undefined);
const engines: SignatureEngine[] = [...fast, nobleSignatureEngine];

interface SignVector {
  privateKey: string;
  publicKey: string;
  message: string;
  signature: string;
}
interface VerifyVector {
  note: string;
  message: string;
  signature: string;
  publicKey: string;
  valid: boolean;
}
const vectors = readVectors<{ sign: SignVector[]; verify: VerifyVector[] }>('encoding.json');

const privateKey = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => number((BigInt(`0x${bytesToHex(bytes)}`) % (order - 1n)) + 1n));
const message = fc.uint8Array({ maxLength: 70 });
/** Numbers around which engines could disagree. */
const edge = fc.constantFrom(0n, 1n, order / 2n, order / 2n + 1n, order - 1n, order, order + 1n, 2n ** 256n - 1n);

describe.each(engines.map((engine) => [engine.name, engine] as const))('signatures by %s', (_name, engine) => {
  const verify = verifierOver(engine);
  const sign = signerOver(engine);
  const publicKeyOf = publicKeysOver(engine);

  it.each(vectors.sign.map((vector, i) => [i, vector] as const))('signs as vector sign %i', (_i, vector) => {
    const key = hexToBytes(vector.privateKey);
    expect(bytesToHex(publicKeyOf(key))).toBe(vector.publicKey);
    expect(bytesToHex(sign(hexToBytes(vector.message), key))).toBe(vector.signature);
  });

  it.each(vectors.verify.map((vector, i) => [i, vector.note, vector] as const))(
    'verify %i: %s',
    (_i, _note, vector) => {
      const [text, signature, key] = [vector.message, vector.signature, vector.publicKey].map(hexToBytes);
      expect(verify(text!, signature!, key!)).toBe(vector.valid);
    },
  );

  it('reduces a message number from the curve order on before it derives the nonce', () => {
    const key = number(5n);
    expect(bytesToHex(sign(number(order + 7n), key))).toBe(bytesToHex(sign(number(7n), key)));
    expect(verify(number(order + 7n), sign(number(7n), key), publicKeyOf(key))).toBe(true);
  });

  it('uses the leftmost 32 bytes of a longer message and a shorter one as it is', () => {
    const key = number(6n);
    expect(bytesToHex(sign(join(number(9n), Uint8Array.of(1, 2)), key))).toBe(bytesToHex(sign(number(9n), key)));
    expect(bytesToHex(sign(Uint8Array.of(9), key))).toBe(bytesToHex(sign(number(9n), key)));
  });

  it('refuses private keys outside 1..n-1 with one error', () => {
    for (const key of [number(0n), number(order), number(2n ** 256n - 1n), new Uint8Array(31), new Uint8Array(33)]) {
      expect(() => sign(new Uint8Array(32), key)).toThrow(new RangeError('invalid private key'));
      expect(() => publicKeyOf(key)).toThrow(new RangeError('invalid private key'));
    }
  });

  it('knows public keys from what is no point of the curve', () => {
    const isPublicKey = publicKeyTestOver(engine);
    for (const { publicKey } of vectors.sign) {
      const key = hexToBytes(publicKey);
      expect(isPublicKey(key)).toBe(true);
      expect(isPublicKey(join(Uint8Array.of(4), key.subarray(1)))).toBe(false);
      expect(isPublicKey(key.subarray(0, 32))).toBe(false);
    }
    // x = 5 is on no point; numbers from the field's prime on are no x.
    expect(isPublicKey(join(Uint8Array.of(2), number(5n)))).toBe(false);
    expect(isPublicKey(join(Uint8Array.of(2), number(2n ** 256n - 1n)))).toBe(false);
  });

  it('gives false for wrong lengths', () => {
    const key = number(7n);
    const [signature, publicKey] = [sign(number(1n), key), publicKeyOf(key)];
    expect(verify(number(1n), signature, publicKey)).toBe(true);
    for (const length of [0, 1, 63, 65, 72])
      expect(verify(number(1n), join(signature, new Uint8Array(9)).subarray(0, length), publicKey)).toBe(false);
    for (const length of [0, 1, 32, 34, 65])
      expect(verify(number(1n), signature, join(publicKey, publicKey).subarray(0, length))).toBe(false);
  });

  it('never throws on random bytes', () => {
    fc.assert(
      fc.property(
        message,
        fc.uint8Array({ maxLength: 70 }),
        fc.uint8Array({ maxLength: 70 }),
        (text, signature, key) => verify(text, signature, key) === false,
      ),
    );
  });
});

describe.each(fast.map((engine) => [engine.name, engine] as const))('%s and noble agree', (_name, engine) => {
  it('on signatures and public keys', () => {
    fc.assert(
      fc.property(message, privateKey, (text, key) => {
        expect(bytesToHex(signerOver(engine)(text, key))).toBe(bytesToHex(signerOver(nobleSignatureEngine)(text, key)));
        expect(bytesToHex(publicKeysOver(engine)(key))).toBe(bytesToHex(publicKeysOver(nobleSignatureEngine)(key)));
      }),
      { numRuns: 50 },
    );
  });

  it('on valid, mutated and edge signatures', () => {
    const mutation = fc.record({ at: fc.nat(96), xor: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(message, privateKey, mutation, (text, key, { at, xor }) => {
        const bytes = join(nobleSignatureEngine.publicKeyOf(key), signerOver(nobleSignatureEngine)(text, key));
        bytes[at]! ^= xor;
        const [publicKey, signature] = [bytes.slice(0, 33), bytes.slice(33)];
        const verdict = verifierOver(engine)(text, signature, publicKey);
        expect(verdict).toBe(verifierOver(nobleSignatureEngine)(text, signature, publicKey));
        // The signature of the number zero is one of the negated key too, which only the first byte tells apart.
        const isNegated = at === 0 && xor === 1 && text.subarray(0, 32).every((byte) => byte === 0);
        expect(verdict).toBe(xor === 0 || isNegated);
      }),
      { numRuns: 50, examples: [[new Uint8Array(), number(1n), { at: 0, xor: 1 }]] },
    );
    fc.assert(
      fc.property(message, privateKey, edge, edge, (text, key, r, s) => {
        const signature = join(number(r), number(s));
        const publicKey = nobleSignatureEngine.publicKeyOf(key);
        expect(verifierOver(engine)(text, signature, publicKey)).toBe(
          verifierOver(nobleSignatureEngine)(text, signature, publicKey),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('on public keys that may be no curve point', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 33, maxLength: 33 }), fc.nat(8), privateKey, (bytes, prefix, key) => {
        bytes[0] = prefix;
        const signature = signerOver(nobleSignatureEngine)(bytes, key);
        expect(verifierOver(engine)(bytes, signature, bytes)).toBe(
          verifierOver(nobleSignatureEngine)(bytes, signature, bytes),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe('the choice of engines', () => {
  it('takes the first that loads, else the fallback', async () => {
    const fails = () => Promise.reject(new Error('no binary'));
    expect(await firstThatLoads([fails, () => Promise.resolve('second')], 'fallback')).toBe('second');
    expect(await firstThatLoads([fails, fails], 'fallback')).toBe('fallback');
    expect(signatureEngine.name).toBe(fast[0]!.name);
  });
});
