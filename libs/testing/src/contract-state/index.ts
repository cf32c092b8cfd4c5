export * from './memory-contract-state.js';
