export { type HashEngine } from './hash-engine.js';
export { nobleHashEngine } from './hash-engine-noble.js';
export { type SignatureEngine } from './signature-engine.js';
export { nobleSignatureEngine } from './signature-engine-noble.js';
export { hashEngine, signatureEngine } from './selected-engines.js';
export * from './hashes.js';
export * from './merkle-root.js';
export * from './short-hashes.js';
export { type SignatureVerifier, isPrivateKey, publicKeyOf, sign, verifySignature } from './signatures.js';
