export * from './programs.js';
export * from './free-port.js';
export { type ServerName, type ServerProcess } from './server-process.js';
export * from './postgres.js';
export * from './nats.js';
export * from './redis.js';
export * from './service-database.js';
