export * from './describe-with-servers.js';
