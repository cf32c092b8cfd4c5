export * from './trie-fault.js';
export * from './trie-node.js';
export * from './nibble-path.js';
export * from './loaded-nodes.js';
export * from './trie-get.js';
export * from './trie-update.js';
export * from './load-paths.js';
export * from './trie-scan.js';
