import { describe, expect, it } from '@jest/globals';
import { readVectors } from '@shardnode/testing/vectors';
import { fc } from '@shardnode/testing/properties';
import { bytesToHex, hexToBytes } from '../encoding/index.js';
import { nobleHashEngine } from './hash-engine-noble.js';
import { loadWasmHashEngine } from './hash-engine-wasm.js';
import { type HashEngine } from './hash-engine.js';
import { merkleRoot } from './merkle-root.js';
import { hashEngine } from './selected-engines.js';

const wasm = await loadWasmHashEngine();
const engines: HashEngine[] = [wasm, nobleHashEngine];

interface HashVector {
  algorithm: string;
  inputUtf8?: string;
  inputHex?: string;
  output: string;
}
const vectors = readVectors<{ hashes: HashVector[] }>('encoding.json').hashes.filter(
  ({ algorithm, inputUtf8, inputHex }) => algorithm.startsWith('blake') && (inputUtf8 ?? inputHex) !== undefined,
);

interface MachineHashVector {
  input: string;
  Keccak256: string;
  Sha256: string;
  Sha3: string;
}
/** Only the original set has them: their source may not be copied. */
const machineVectors = readVectors<{ hashes?: { cases: MachineHashVector[] } }>('vm.json').hashes?.cases ?? [];

describe.each(engines.map((engine) => [engine.name, engine] as const))('hashes by %s', (_name, engine) => {
  it.each(vectors.map((vector) => [vector.algorithm, vector.inputUtf8 ?? vector.inputHex, vector] as const))(
    '%s of %j',
    (algorithm, _input, vector) => {
      const input =
        vector.inputHex === undefined ? new TextEncoder().encode(vector.inputUtf8) : hexToBytes(vector.inputHex);
      const output = algorithm === 'blake3' ? engine.blake3(input) : engine.blake2b(input);
      expect(bytesToHex(output)).toBe(vector.output);
    },
  );

  it("keccak256, sha256 and sha3 as the machine's vectors", () => {
    for (const { input, Keccak256, Sha256, Sha3 } of machineVectors) {
      const bytes = hexToBytes(input);
      const digests = [engine.keccak256(bytes), engine.sha256(bytes), engine.sha3(bytes)];
      expect(digests.map(bytesToHex)).toEqual([Keccak256, Sha256, Sha3]);
    }
  });

  it('gives bytes that later hashes leave alone, also for views into larger arrays', () => {
    const input = Uint8Array.from({ length: 100 }, (_, i) => i);
    const [first, kept] = [engine.blake2b(input), engine.blake3(input)];
    const [firstHex, keptHex] = [bytesToHex(first), bytesToHex(kept)];
    engine.blake2b(first);
    engine.blake3(kept);
    expect([bytesToHex(first), bytesToHex(kept)]).toEqual([firstHex, keptHex]);
    expect(bytesToHex(engine.blake2b(input.subarray(3, 50)))).toBe(bytesToHex(engine.blake2b(input.slice(3, 50))));
  });
});

describe('hash-wasm and noble agree', () => {
  it('on inputs of any length around and above their block sizes', () => {
    const input = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ minLength: 1000, maxLength: 3000 }));
    fc.assert(
      fc.property(input, (bytes) => {
        expect(bytesToHex(wasm.blake2b(bytes))).toBe(bytesToHex(nobleHashEngine.blake2b(bytes)));
        expect(bytesToHex(wasm.blake3(bytes))).toBe(bytesToHex(nobleHashEngine.blake3(bytes)));
        expect(bytesToHex(wasm.keccak256(bytes))).toBe(bytesToHex(nobleHashEngine.keccak256(bytes)));
        expect(bytesToHex(wasm.sha256(bytes))).toBe(bytesToHex(nobleHashEngine.sha256(bytes)));
        expect(bytesToHex(wasm.sha3(bytes))).toBe(bytesToHex(nobleHashEngine.sha3(bytes)));
      }),
      { numRuns: 200 },
    );
    const large = new Uint8Array(400_000).fill(7);
    expect(bytesToHex(wasm.blake2b(large))).toBe(bytesToHex(nobleHashEngine.blake2b(large)));
    expect(bytesToHex(wasm.blake3(large))).toBe(bytesToHex(nobleHashEngine.blake3(large)));
  });

  it('and the fast one is in use', () => expect(hashEngine.name).toBe('hash-wasm'));
});

describe('Merkle root', () => {
  it('is the same when an odd last leaf is repeated', () => {
    const leaves = ['11', '22', '33'].map((byte) => byte.repeat(32));
    expect(merkleRoot(leaves)).toBe(merkleRoot([...leaves, leaves[2]!]));
  });
});
