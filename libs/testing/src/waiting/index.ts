export * from './until.js';
