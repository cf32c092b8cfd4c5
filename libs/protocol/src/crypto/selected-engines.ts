import { type Ed25519Engine } from './ed25519-engine.js';
import { nobleEd25519Engine } from './ed25519-engine-noble.js';
import { loadOpensslEd25519Engine } from './ed25519-engine-openssl.js';
import { nobleHashEngine } from './hash-engine-noble.js';
import { loadWasmHashEngine } from './hash-engine-wasm.js';
import { type HashEngine } from './hash-engine.js';
import { type KeyRecoveryEngine } from './key-recovery-engine.js';
import { loadNativeKeyRecoveryEngine } from './key-recovery-engine-native.js';
import { nobleKeyRecoveryEngine } from './key-recovery-engine-noble.js';
import { loadWasmKeyRecoveryEngine } from './key-recovery-engine-wasm.js';
import { type SchnorrEngine } from './schnorr-engine.js';
import { loadNativeSchnorrEngine } from './schnorr-engine-native.js';
import { nobleSchnorrEngine } from './schnorr-engine-noble.js';
import { loadWasmSchnorrEngine } from './schnorr-engine-wasm.js';
import { loadNativeSignatureEngine } from './signature-engine-native.js';
import { nobleSignatureEngine } from './signature-engine-noble.js';
import { loadWasmSignatureEngine } from './signature-engine-wasm.js';
import { type SignatureEngine } from './signature-engine.js';

/** The first engine that loads on this machine, otherwise the fallback. */
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

/** In use for the life of the process. */
export const keyRecoveryEngine: KeyRecoveryEngine = await firstThatLoads(
  [loadNativeKeyRecoveryEngine, loadWasmKeyRecoveryEngine],
  nobleKeyRecoveryEngine,
);

/** In use for the life of the process. */
export const schnorrEngine: SchnorrEngine = await firstThatLoads(
  [() => loadNativeSchnorrEngine(hashEngine), loadWasmSchnorrEngine],
  nobleSchnorrEngine,
);

/** In use for the life of the process. */
export const ed25519Engine: Ed25519Engine = await firstThatLoads(
  [() => loadOpensslEd25519Engine(nobleEd25519Engine)],
  nobleEd25519Engine,
);
