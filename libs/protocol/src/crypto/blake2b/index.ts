export * from './blake2b.js';
