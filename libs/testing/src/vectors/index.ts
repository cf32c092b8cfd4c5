export * from './vector-files.js';
