export * from './address-text.js';
export * from './base58.js';
