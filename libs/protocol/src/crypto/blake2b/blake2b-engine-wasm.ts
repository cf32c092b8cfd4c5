import { type Blake2bEngine } from './blake2b-engine.js';

/**
 * WebAssembly, some ten times as fast as plain JavaScript, without the other hashes of its package, which take longer to
 * load. Rejects where WebAssembly cannot be loaded.
 */
export const loadWasmBlake2bEngine = async (): Promise<Blake2bEngine> => {
  const { default: hashWasm } = await import('hash-wasm/dist/blake2b.umd.min.js');
  // One hasher for the whole process: each hash is computed synchronously, so hashes cannot interleave.
  const hasher = await hashWasm.createBLAKE2b(256);
  return { name: 'hash-wasm', blake2b: (bytes) => hasher.init().update(bytes).digest('binary') };
};
