export * from './network-credentials.js';
export * from './server-files.js';
export * from './generate-credentials.js';
export * from './known-servers.js';
