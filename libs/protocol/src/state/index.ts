export * from './state-miss.js';
export * from './trie-node-source.js';
