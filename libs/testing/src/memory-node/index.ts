export * from './memory-node.js';
export * from './memory-node-target.js';
