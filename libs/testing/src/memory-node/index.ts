export * from './memory-node.js';
export * from './memory-node-target.js';
export * from './dependency-buffer.js';
export * from './next-block.js';
