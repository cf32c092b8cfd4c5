export * from './claims.js';
export * from './vector-files.js';
