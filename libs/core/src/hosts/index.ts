export * from './canonical-host.js';
export * from './host-url.js';
export * from './own-host-names.js';
