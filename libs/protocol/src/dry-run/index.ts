export * from './contracts.js';
export * from './entry.js';
export * from './dry-run.js';
export * from './test-contract.js';
export * from './call-contract.js';
