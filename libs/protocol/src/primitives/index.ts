export * from './hash.js';
export * from './chain-index.js';
export * from './lockup-script.js';
export * from './output-reference.js';
