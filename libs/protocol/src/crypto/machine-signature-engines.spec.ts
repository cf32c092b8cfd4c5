import { describe, expect, it } from '@jest/globals';
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { readVectors } from '@shardnode/testing/vectors';
import { fc } from '@shardnode/testing/properties';
import { bigintFromBytes, bigintToBytes, bytesToHex, decode, hexToBytes } from '../encoding/index.js';
import { instructionByCode, statelessScriptCodec } from '../script/index.js';
import { ed25519VerifierOver } from './ed25519-signatures.js';
import { ethAddressRecoveryOver } from './eth-address-recovery.js';
import { nobleHashEngine } from './hash-engine-noble.js';
import { loadNativeKeyRecoveryEngine } from './key-recovery-engine-native.js';
import { nobleKeyRecoveryEngine } from './key-recovery-engine-noble.js';
import { loadWasmKeyRecoveryEngine } from './key-recovery-engine-wasm.js';
import { loadNativeSchnorrEngine } from './schnorr-engine-native.js';
import { nobleSchnorrEngine } from './schnorr-engine-noble.js';
import { loadWasmSchnorrEngine } from './schnorr-engine-wasm.js';
import { schnorrVerifierOver } from './schnorr-signatures.js';
import { curveOrder } from './secp256k1-numbers.js';
import { nobleEd25519Engine } from './ed25519-engine-noble.js';
import { loadOpensslEd25519Engine } from './ed25519-engine-openssl.js';

interface RunVector {
  op: string;
  note: string;
  kind: string;
  code: string;
  expect: { results?: string[]; failure?: string };
}
interface SignatureVector {
  message: string;
  publicKey: string;
  signature: string;
  valid: boolean;
}
interface RecoveryVector {
  hash: string;
  signature: string;
  result: string;
}
const parts = readVectors<{
  bip340?: { cases: SignatureVector[] };
  ed25519?: { cases: SignatureVector[] };
  ethEcRecover?: { cases: RecoveryVector[] };
}>('vm.json');
const runs = readVectors<{ cases: RunVector[] }>('vm-instructions.json').cases;

/** The byte strings that a run pushes before the instruction it is about; none where it builds them otherwise. */
const constantsOf = ({ code, op }: RunVector): Uint8Array[] => {
  const [method] = decode(statelessScriptCodec, hexToBytes(code)).methods;
  const instructions = method!.instructions;
  const names = instructions.map((instruction) => instructionByCode[instruction.code]!.name);
  if (names.at(-1) !== op || names.slice(0, -1).some((name) => name !== 'BytesConst')) return [];
  return instructions.slice(0, -1).map((instruction) => instruction.operand as Uint8Array);
};

const runsOf = (op: string, operands: number): { note: string; run: RunVector; constants: Uint8Array[] }[] =>
  runs
    .filter((run) => run.op === op && run.kind === 'unlock' && 'expect' in run)
    .filter(({ expect: { failure } }) => failure === undefined || /^(InvalidSignature|FailedIn)/.test(failure))
    .map((run) => ({ note: run.note, run, constants: constantsOf(run) }))
    .filter(({ constants }) => constants.length === operands);

const verifyVectors = (op: string, extra: SignatureVector[]): SignatureVector[] => [
  ...extra,
  ...runsOf(op, 3).map(({ run, constants: [message, publicKey, signature] }) => ({
    message: bytesToHex(message!),
    publicKey: bytesToHex(publicKey!),
    signature: bytesToHex(signature!),
    valid: run.expect.failure === undefined,
  })),
];
const recoveryVectors: RecoveryVector[] = [
  ...(parts.ethEcRecover?.cases ?? []),
  ...runsOf('EthEcRecover', 2).map(({ run, constants: [hash, signature] }) => ({
    hash: bytesToHex(hash!),
    signature: bytesToHex(signature!),
    result: run.expect.results?.[0]?.slice('ByteVec '.length) ?? 'FailedInRecoverEthAddress',
  })),
];

/** The native engines are absent where no binary fits the machine. */
const present = async <Engine>(loaders: (() => Promise<Engine>)[], fallback: Engine): Promise<Engine[]> => {
  const loaded = await Promise.all(loaders.map((load) => load().catch(() => undefined)));
  return [...loaded.filter((engine) => engine !== undefined), fallback];
};
const schnorrEngines = await present(
  [() => loadNativeSchnorrEngine(nobleHashEngine), loadWasmSchnorrEngine],
  nobleSchnorrEngine,
);
const recoveryEngines = await present([loadNativeKeyRecoveryEngine, loadWasmKeyRecoveryEngine], nobleKeyRecoveryEngine);

const ed25519Engines = await present([() => loadOpensslEd25519Engine(nobleEd25519Engine)], nobleEd25519Engine);
/** What OpenSSL alone accepts: nothing is left to noble. */
const opensslAlone = await loadOpensslEd25519Engine({ name: 'nobody', verify: () => false });

const number = (value: bigint): Uint8Array => bigintToBytes(value, 32);
const join = (...chunks: Uint8Array[]): Uint8Array => Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
const named = <T extends { readonly name: string }>(engines: T[]): [string, T][] =>
  engines.map((engine) => [engine.name, engine]);
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const privateKey = bytes32.map((bytes) => number((bigintFromBytes(bytes) % (curveOrder - 1n)) + 1n));
const mutation = fc.record({ at: fc.nat(95), xor: fc.integer({ min: 0, max: 255 }) });

describe('the vectors', () => {
  it('are enough of each kind', () => {
    expect(verifyVectors('VerifyBIP340Schnorr', []).length).toBeGreaterThan(20);
    expect(verifyVectors('VerifyED25519', []).length).toBeGreaterThan(130);
    expect(recoveryVectors.length).toBeGreaterThan(20);
  });
});

describe.each(named(schnorrEngines))('BIP340 by %s', (_name, engine) => {
  const verify = schnorrVerifierOver(engine);

  it('as all vectors', () => {
    for (const vector of verifyVectors('VerifyBIP340Schnorr', parts.bip340?.cases ?? [])) {
      const [message, signature, key] = [vector.message, vector.signature, vector.publicKey].map(hexToBytes);
      expect([verify(message!, signature!, key!), vector]).toEqual([vector.valid, vector]);
    }
  });

  it('as noble on signatures and on those with one byte changed', () => {
    fc.assert(
      fc.property(bytes32, privateKey, mutation, (message, key, { at, xor }) => {
        const bytes = join(schnorr.getPublicKey(key), schnorr.sign(message, key, number(1n)));
        bytes[at]! ^= xor;
        expect(verify(message, bytes.slice(32), bytes.slice(0, 32))).toBe(xor === 0);
      }),
      { numRuns: 60 },
    );
  });

  it('as noble on numbers around the limits', () => {
    const field = secp256k1.Point.Fp.ORDER;
    const edge = fc.constantFrom(0n, 1n, curveOrder - 1n, curveOrder, field - 1n, field, 2n ** 256n - 1n);
    fc.assert(
      fc.property(
        bytes32,
        edge,
        edge,
        fc.oneof(edge.map(number), privateKey.map(schnorr.getPublicKey)),
        (m, r, s, k) => {
          const signature = join(number(r), number(s));
          expect(verify(m, signature, k)).toBe(schnorrVerifierOver(nobleSchnorrEngine)(m, signature, k));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('false for wrong lengths', () => {
    const key = number(9n);
    const [message, publicKey, signature] = [number(1n), schnorr.getPublicKey(key), schnorr.sign(number(1n), key)];
    expect(verify(message, signature, publicKey)).toBe(true);
    expect(verify(message.subarray(1), signature, publicKey)).toBe(false);
    expect(verify(message, signature.subarray(1), publicKey)).toBe(false);
    expect(verify(message, signature, join(publicKey, message))).toBe(false);
  });
});

describe.each(named(recoveryEngines))('EthEcRecover by %s', (_name, engine) => {
  const recover = ethAddressRecoveryOver(engine);
  const text = (address: Uint8Array | undefined): string =>
    address ? bytesToHex(address) : 'FailedInRecoverEthAddress';

  it('as all vectors', () => {
    for (const vector of recoveryVectors)
      expect([text(recover(hexToBytes(vector.hash), hexToBytes(vector.signature))), vector.hash]).toEqual([
        vector.result,
        vector.hash,
      ]);
  });

  it('gives the address of the signer, with s of either half', () => {
    fc.assert(
      fc.property(bytes32, privateKey, fc.boolean(), (hash, key, high) => {
        const signed = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
        const [recovery, r] = [signed[0]!, signed.slice(1, 33)];
        const s = bigintFromBytes(signed.slice(33));
        const signature = join(
          r,
          number(high ? curveOrder - s : s),
          Uint8Array.of(27 + (high ? 1 - recovery : recovery)),
        );
        const uncompressed = secp256k1.getPublicKey(key, false);
        expect(text(recover(hash, signature))).toBe(
          bytesToHex(nobleHashEngine.keccak256(uncompressed.slice(1)).slice(12)),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('hashes nothing for the point at infinity', () => {
    fc.assert(
      fc.property(privateKey, privateKey, (k, s) => {
        const point = secp256k1.getPublicKey(k, true);
        const e = (bigintFromBytes(k) * bigintFromBytes(s)) % curveOrder;
        const signature = join(point.slice(1), s, Uint8Array.of(25 + point[0]!));
        expect(text(recover(number(e), signature))).toBe('dcc703c0e500b653ca82273b7bfad8045d85a470');
      }),
      { numRuns: 20 },
    );
  });

  it('as noble on random bytes', () => {
    const v = fc.constantFrom(26, 27, 28, 29);
    const signature = fc.tuple(bytes32, bytes32, v).map(([r, s, last]) => join(r, s, Uint8Array.of(last)));
    fc.assert(
      fc.property(bytes32, signature, (hash, bytes) => {
        expect(text(recover(hash, bytes))).toBe(text(ethAddressRecoveryOver(nobleKeyRecoveryEngine)(hash, bytes)));
      }),
      { numRuns: 60 },
    );
  });
});

describe.each(named(ed25519Engines))('Ed25519 by %s', (_name, engine) => {
  const verify = ed25519VerifierOver(engine);

  it('as all vectors', () => {
    for (const vector of verifyVectors('VerifyED25519', parts.ed25519?.cases ?? [])) {
      const [message, signature, key] = [vector.message, vector.signature, vector.publicKey].map(hexToBytes);
      expect([verify(message!, signature!, key!), vector]).toEqual([vector.valid, vector]);
    }
  });

  it('takes signatures, and none with a byte changed', () => {
    fc.assert(
      fc.property(bytes32, bytes32, mutation, (message, key, { at, xor }) => {
        const bytes = join(ed25519.getPublicKey(key), ed25519.sign(message, key));
        bytes[at]! ^= xor;
        expect(verify(message, bytes.slice(32), bytes.slice(0, 32))).toBe(xor === 0);
      }),
      { numRuns: 40 },
    );
  });

  it('false for wrong lengths', () => {
    expect(verify(number(1n), new Uint8Array(63), number(1n))).toBe(false);
    expect(verify(number(1n), new Uint8Array(64), new Uint8Array(33))).toBe(false);
  });
});

describe('what OpenSSL does not accept', () => {
  it('is judged once, and again when much else was asked in between', async () => {
    const asked: number[] = [];
    const judge = await loadOpensslEd25519Engine({
      name: 'odd',
      verify: (message) => {
        asked.push(Number(bigintFromBytes(message)));
        return Number(bigintFromBytes(message)) % 2 === 1;
      },
    });
    const [publicKey, signature] = [ed25519.getPublicKey(number(9n)), new Uint8Array(64)];
    const ask = (i: number): boolean => judge.verify(number(BigInt(i)), signature, publicKey);
    expect([1, 2, 1, 2, 1, 2].map(ask)).toEqual([true, false, true, false, true, false]);
    expect(asked).toEqual([1, 2]);
    for (let i = 3; i < 1100; i++) ask(i);
    expect(ask(1)).toBe(true);
    expect(asked.filter((i) => i === 1)).toEqual([1, 1]);
  });
});

describe('OpenSSL accepts nothing that noble refuses', () => {
  const order = ed25519.Point.Fn.ORDER;
  const eight = ed25519.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', true);
  const torsion = Array.from({ length: 8 }, (_, i) => (i === 0 ? ed25519.Point.ZERO : eight.multiplyUnsafe(BigInt(i))));
  const point = fc.oneof(
    fc.constantFrom(...torsion),
    fc
      .tuple(fc.bigInt({ min: 1n, max: order - 1n }), fc.constantFrom(...torsion))
      .map(([scalar, small]) => ed25519.Point.BASE.multiply(scalar).add(small)),
  );
  const littleEndian = (value: bigint): Uint8Array => number(value).reverse();

  it('on the vectors', () => {
    const vectors = verifyVectors('VerifyED25519', parts.ed25519?.cases ?? []);
    const accepted = vectors.filter((vector) =>
      ed25519VerifierOver(opensslAlone)(
        ...([vector.message, vector.signature, vector.publicKey].map(hexToBytes) as [
          Uint8Array,
          Uint8Array,
          Uint8Array,
        ]),
      ),
    );
    expect(accepted.filter(({ valid }) => !valid)).toEqual([]);
    expect(accepted.length).toBeGreaterThan(5);
  });

  it('on keys and R of any order, with S such that one of the equations may hold', () => {
    const scalar = fc.oneof(fc.constantFrom(0n, 1n, order - 1n, order), fc.bigInt({ min: 0n, max: 2n ** 253n }));
    fc.assert(
      fc.property(bytes32, point, point, scalar, (message, key, r, s) => {
        const signature = join(r.toBytes(), littleEndian(s));
        const noble = ed25519VerifierOver(nobleEd25519Engine)(message, signature, key.toBytes());
        expect(ed25519VerifierOver(opensslAlone)(message, signature, key.toBytes()) && !noble).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it('on S above the order, whatever multiple of it is added', () => {
    const key = number(9n);
    const signature = ed25519.sign(number(1n), key);
    const s = bigintFromBytes(signature.slice(32).reverse());
    expect(ed25519VerifierOver(opensslAlone)(number(1n), signature, ed25519.getPublicKey(key))).toBe(true);
    for (let more = s + order; more < 2n ** 256n; more += order) {
      const malleated = join(signature.subarray(0, 32), littleEndian(more));
      expect(ed25519VerifierOver(opensslAlone)(number(1n), malleated, ed25519.getPublicKey(key))).toBe(false);
    }
  });

  it('on encodings of R and keys that are not canonical', () => {
    const prime = ed25519.Point.Fp.ORDER;
    // y from p to 2^255 - 1 with either sign: all there are, and x = 0 with its sign set.
    const encodings = [
      ...Array.from({ length: 19 }, (_, i) => prime + BigInt(i)).flatMap((y) => [y, y + 2n ** 255n]),
      1n + 2n ** 255n,
      prime - 1n + 2n ** 255n,
    ].map(littleEndian);
    for (const encoding of encodings)
      for (let i = 0n; i < 8n; i++) {
        const honest = ed25519.getPublicKey(number(i + 1n));
        const signed = ed25519.sign(number(i), number(i + 1n));
        for (const [signature, key] of [
          [join(encoding, new Uint8Array(32)), encoding],
          [join(ed25519.Point.ZERO.toBytes(), new Uint8Array(32)), encoding],
          [signed, encoding],
          [join(encoding, signed.subarray(32)), honest],
          [join(encoding, new Uint8Array(32)), honest],
        ] as const)
          expect(ed25519VerifierOver(opensslAlone)(number(i), signature, key)).toBe(false);
      }
  });

  it('on keys of small order and R of small order, which fulfil the equation for S = 0 half of the time', () => {
    for (const key of torsion)
      for (const r of torsion)
        for (let i = 0n; i < 4n; i++) {
          const signature = join(r.toBytes(), new Uint8Array(32));
          expect(ed25519VerifierOver(opensslAlone)(number(i), signature, key.toBytes())).toBe(false);
        }
  });
});
