export * from './replay-target.js';
export * from './agreed-chain-state.js';
export * from './history.js';
export * from './differences.js';
export * from './compare-history.js';
export * from './compare-verdicts.js';
export * from './permutation.js';
export * from './replay-permuted.js';
