export * from './contract-rules.js';
