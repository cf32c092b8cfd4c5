export * from './replay-target.js';
