export * from './test-keys.js';
export * from './development-keys.js';
