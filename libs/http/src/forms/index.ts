export * from './balances.js';
export * from './blocks.js';
export * from './contracts.js';
export * from './events.js';
export * from './json-text.js';
export * from './timestamps.js';
export * from './transactions.js';
