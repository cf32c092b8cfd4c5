import { nobleHashEngine } from './hash-engine-noble.js';
import { loadWasmHashEngine } from './hash-engine-wasm.js';
import { type HashEngine } from './hash-engine.js';
import { loadNativeSignatureEngine } from './signature-engine-native.js';
import { nobleSignatureEngine } from './signature-engine-noble.js';
import { loadWasmSignatureEngine } from './signature-engine-wasm.js';
import { type SignatureEngine } from './signature-engine.js';

/** The first engine that loads on this machine, else the fallback. */
export const firstThatLoads = async <Engine>(
  loaders: readonly (() => Promise<Engine>)[],
  fallback: Engine,
): Promise<Engine> => {
  for (const load of loaders) {
    try {
      return await load();
    } catch {
      // No binary or no WebAssembly here: the next engine gives the same results, only slower.
    }
  }
  return fallback;
};

/** In use for the life of the process. */
export const hashEngine: HashEngine = await firstThatLoads([loadWasmHashEngine], nobleHashEngine);

/** In use for the life of the process. */
export const signatureEngine: SignatureEngine = await firstThatLoads(
  [loadNativeSignatureEngine, loadWasmSignatureEngine],
  nobleSignatureEngine,
);
