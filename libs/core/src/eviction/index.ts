export * from './evict-oldest.js';
export * from './recent-map.js';
