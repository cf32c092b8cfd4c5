export * from './cluster-file.js';
export * from './control-client.js';
export * from './control-messages.js';
export * from './control-server.js';
