export * from './debug-text.js';
export * from './listing.js';
