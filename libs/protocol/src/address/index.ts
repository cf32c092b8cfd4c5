export * from './contract-ids.js';
export * from './key-lockup-scripts.js';
export * from './key-tree.js';
export * from './mnemonic.js';
export * from './text/index.js';
