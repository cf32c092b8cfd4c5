export * from './cache.js';
export * from './memory-cache.js';
