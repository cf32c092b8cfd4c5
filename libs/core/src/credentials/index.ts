export * from './credential-folder.js';
export * from './certificates.js';
export * from './redis-users.js';
