export * from './canonical-host.js';
export * from './host-url.js';
