export * from './contract-address.js';
export * from './page-paths.js';
