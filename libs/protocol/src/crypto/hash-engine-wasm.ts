import { loadWasmBlake2bEngine } from './blake2b/blake2b-engine-wasm.js';
import { type HashEngine } from './hash-engine.js';

/** WebAssembly hashes, some ten times as fast as plain JavaScript. Rejects where WebAssembly cannot be loaded. */
export const loadWasmHashEngine = async (): Promise<HashEngine> => {
  const { createBLAKE3, createKeccak, createSHA256, createSHA3 } = await import('hash-wasm');
  // One hasher of each kind for the whole process: each hash is computed synchronously, so hashes cannot interleave.
  const blake3 = await createBLAKE3(256);
  const keccak256 = await createKeccak(256);
  const sha256 = await createSHA256();
  const sha3 = await createSHA3(256);
  return {
    ...(await loadWasmBlake2bEngine()),
    blake3: (bytes) => blake3.init().update(bytes).digest('binary'),
    keccak256: (bytes) => keccak256.init().update(bytes).digest('binary'),
    sha256: (bytes) => sha256.init().update(bytes).digest('binary'),
    sha3: (bytes) => sha3.init().update(bytes).digest('binary'),
  };
};
