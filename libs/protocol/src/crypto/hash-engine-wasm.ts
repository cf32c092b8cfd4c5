import { type HashEngine } from './hash-engine.js';

/** WebAssembly hashes, some ten times as fast as plain JavaScript. Rejects where WebAssembly cannot be loaded. */
export const loadWasmHashEngine = async (): Promise<HashEngine> => {
  const { createBLAKE2b, createBLAKE3, createKeccak, createSHA256, createSHA3 } = await import('hash-wasm');
  // One hasher of each kind for the whole process: each hash is computed synchronously, so hashes cannot interleave.
  const blake2b = await createBLAKE2b(256);
  const blake3 = await createBLAKE3(256);
  const keccak256 = await createKeccak(256);
  const sha256 = await createSHA256();
  const sha3 = await createSHA3(256);
  return {
    name: 'hash-wasm',
    blake2b: (bytes) => blake2b.init().update(bytes).digest('binary'),
    blake3: (bytes) => blake3.init().update(bytes).digest('binary'),
    keccak256: (bytes) => keccak256.init().update(bytes).digest('binary'),
    sha256: (bytes) => sha256.init().update(bytes).digest('binary'),
    sha3: (bytes) => sha3.init().update(bytes).digest('binary'),
  };
};
