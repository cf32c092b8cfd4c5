export * from './address-text.js';
export * from './base58.js';
export * from './contract-ids.js';
export * from './key-lockup-scripts.js';
export * from './key-tree.js';
export * from './mnemonic.js';
