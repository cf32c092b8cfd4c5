export * from './memory-contract-state.js';
export * from './real-executor.js';
export * from './run-with-misses.js';
