export * from './answers/index.js';
export * from './bytes.js';
export * from './inet-address.js';
export * from './leaf.js';
export * from './numbers.js';
export * from './requests.js';
export { scriptHex } from './requests/spending.js';
export * from './texts.js';
