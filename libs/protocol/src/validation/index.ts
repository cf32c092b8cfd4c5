export * from './outcome.js';
