export * from './connection-limits.js';
export * from './trusted-proxies.js';
