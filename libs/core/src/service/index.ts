export * from './create-service.js';
export * from './open-servers.js';
export * from './server-access.js';
