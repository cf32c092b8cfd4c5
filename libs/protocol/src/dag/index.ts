export * from './readers.js';
