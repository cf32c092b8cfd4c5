import { type Blake2bEngine } from './blake2b-engine.js';
import { loadWasmBlake2bEngine } from './blake2b-engine-wasm.js';

/** Where WebAssembly cannot be loaded; loaded only there. */
const loadNobleBlake2bEngine = async (): Promise<Blake2bEngine> =>
  (await import('./blake2b-engine-noble.js')).nobleBlake2bEngine;

/** In use for the life of the process. */
export const blake2bEngine: Blake2bEngine = await loadWasmBlake2bEngine().catch(loadNobleBlake2bEngine);
