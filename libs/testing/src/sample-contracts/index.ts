export * from './contract-code.js';
export * from './contract-scripts.js';
