export * from './client-address.js';
export * from './connection-limits.js';
export * from './portions.js';
export * from './trusted-proxies.js';
export * from './share-server.js';
export * from './token-buckets.js';
